{{- define "listd.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "listd.fullname" -}}
{{- $name := include "listd.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- /* The longest suffix is -webhook-dispatcher-ops, and a name has at most 63 characters. */ -}}
{{- default $full .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- /* The name of a component's objects. Call it with (list $ "gateway"). */ -}}
{{- define "listd.componentName" -}}
{{- printf "%s-%s" (include "listd.fullname" (index . 0)) (index . 1) -}}
{{- end -}}

{{- /* What selects pods, and never changes: selectors of Deployments are immutable. Call it with (list $ "gateway"). */ -}}
{{- define "listd.selector" -}}
app.kubernetes.io/name: {{ include "listd.name" (index . 0) | quote }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- /* The labels of a component's objects. Call it with (list $ "gateway"). */ -}}
{{- define "listd.labels" -}}
{{- $ := index . 0 -}}
{{ include "listd.selector" . }}
app.kubernetes.io/version: {{ $.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $.Release.Service }}
app.kubernetes.io/part-of: listd
helm.sh/chart: {{ printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "listd.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end -}}

{{- /* The address that clients use; empty when nothing says it. */ -}}
{{- define "listd.publicUrl" -}}
{{- if .Values.gateway.publicUrl -}}
{{- .Values.gateway.publicUrl -}}
{{- else if .Values.ingress.enabled -}}
{{- ternary "https" "http" (ne .Values.ingress.tlsSecretName "") }}://{{ .Values.ingress.host }}
{{- end -}}
{{- end -}}
