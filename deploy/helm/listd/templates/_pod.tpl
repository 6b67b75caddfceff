{{- /* The parts of a pod that are the same in every component. */ -}}

{{- define "listd.podSecurityContext" -}}
runAsNonRoot: true
{{- /* Whole: a number of seven digits would be written as 1e+06. */}}
{{- with .Values.pods.userId }}
runAsUser: {{ int64 . }}
runAsGroup: {{ int64 . }}
fsGroup: {{ int64 . }}
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "listd.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* What decides where a pod runs. Call it with (list $ "gateway"). */ -}}
{{- define "listd.placement" -}}
{{- $ := index . 0 -}}
{{- with $.Values.pods -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "listd.imagePullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /*
The settings of a process that the chart decides; those of `config` are in the file. Call it with
(list $ "gateway"): the component, or "migrate".
*/ -}}
{{- define "listd.env" -}}
{{- $own := include "listd.ownEnv" . -}}
{{- $own }}
{{- range (index . 0).Values.pods.extraEnv }}
{{- if contains (printf "- name: %s\n" .name) $own }}
{{- fail (printf "pods.extraEnv must not have %s, which the chart sets from other values." .name) }}
{{- end }}
- {{ toYaml . | nindent 2 | trim }}
{{- end }}
{{- end -}}

{{- define "listd.ownEnv" -}}
{{- $ := index . 0 -}}
{{- $component := index . 1 -}}
{{- $files := fromYaml (include "listd.secretFiles" .) -}}
- name: LISTD_CONFIG
  value: /etc/listd/config/listd.json
- name: LISTD_DATA_DIR
  value: /tmp/listd
{{- range $variable, $file := $files }}
- name: {{ $variable }}
  value: /etc/listd/secrets/{{ $file.path }}
{{- end }}
{{- if and $.Values.nats.url (not $.Values.nats.secretName) }}
- name: LISTD_NATS_URL
  value: {{ $.Values.nats.url | quote }}
{{- end }}
{{- if eq $component "migrate" }}
{{- with $.Values.admin.email }}
- name: LISTD_ADMIN_EMAIL
  value: {{ . | quote }}
{{- end }}
{{- else }}
- name: LISTD_{{ $component | replace "webhook-" "" | upper }}_OPS_PORT
  value: {{ $.Values.opsPort | quote }}
{{- /* Probes and Prometheus ask at the address of the pod. */}}
- name: LISTD_OPS_HOST
  value: ""
{{- end }}
{{- if eq $component "gateway" }}
- name: LISTD_GATEWAY_HOST
  value: {{ $.Values.gateway.host | quote }}
- name: LISTD_GATEWAY_PORT
  value: {{ $.Values.gateway.port | quote }}
{{- with include "listd.publicUrl" $ }}
- name: LISTD_GATEWAY_PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The files that a component reads secrets from, by variable. The identity service needs no master key. */ -}}
{{- define "listd.secretFiles" -}}
{{- $ := index . 0 -}}
{{- $component := index . 1 -}}
{{- with $.Values.database }}
LISTD_DATABASE_URL_FILE: { secret: {{ .secretName | quote }}, key: {{ .secretKey | quote }}, path: database-url }
{{- if .caSecretName }}
LISTD_DATABASE_CA_FILE: { secret: {{ .caSecretName | quote }}, key: {{ .caSecretKey | quote }}, path: database-ca.pem }
{{- end }}
{{- end }}
{{- if has $component (list "gateway" "webhook-dispatcher") }}
{{- with $.Values.masterKey }}
LISTD_SECRETS_MASTER_KEY_FILE: { secret: {{ .secretName | quote }}, key: {{ .secretKey | quote }}, path: master-key }
{{- end }}
{{- end }}
{{- with $.Values.nats }}
{{- if .secretName }}
LISTD_NATS_URL_FILE: { secret: {{ .secretName | quote }}, key: {{ .secretKey | quote }}, path: nats-url }
{{- end }}
{{- if .credsSecretName }}
LISTD_NATS_CREDS_FILE: { secret: {{ .credsSecretName | quote }}, key: {{ .credsSecretKey | quote }}, path: nats.creds }
{{- end }}
{{- end }}
{{- if eq $component "webhook-dispatcher" }}
{{- with $.Values.webhooks }}
{{- if .caSecretName }}
LISTD_WEBHOOKS_CA_FILE: { secret: {{ .caSecretName | quote }}, key: {{ .caSecretKey | quote }}, path: webhooks-ca.pem }
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq $component "migrate") $.Values.admin.email }}
{{- with $.Values.admin }}
LISTD_ADMIN_PASSWORD_FILE: { secret: {{ .secretName | quote }}, key: {{ .secretKey | quote }}, path: admin-password }
{{- end }}
{{- end }}
{{- end -}}

{{- define "listd.volumeMounts" -}}
- name: config
  mountPath: /etc/listd/config
  readOnly: true
- name: secrets
  mountPath: /etc/listd/secrets
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- with .Values.pods.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Call it with (list $ "gateway" "name of the ConfigMap"). */ -}}
{{- define "listd.volumes" -}}
- name: config
  configMap:
    name: {{ index . 2 | quote }}
- name: secrets
  projected:
    # 0440: the group of the pod may read them.
    defaultMode: 288
    sources:
      {{- range $variable, $file := fromYaml (include "listd.secretFiles" .) }}
      - secret:
          name: {{ $file.secret | quote }}
          items:
            - key: {{ $file.key | quote }}
              path: {{ $file.path }}
      {{- end }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with (index . 0).Values.pods.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Kubernetes ends these when the other containers have ended, so that they may run next to the migration too. */ -}}
{{- define "listd.sidecars" -}}
{{- with .Values.pods.sidecars }}
initContainers:
  {{- range . }}
  - {{ merge (dict "restartPolicy" "Always") . | toYaml | nindent 4 | trim }}
  {{- end }}
{{- end }}
{{- end -}}
