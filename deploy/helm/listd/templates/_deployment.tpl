{{- /* The Deployment of a service. Call it with (list $ "gateway" .Values.gateway). */ -}}
{{- define "listd.deployment" -}}
{{- $ := index . 0 -}}
{{- $component := index . 1 -}}
{{- $values := index . 2 -}}
{{- $name := include "listd.componentName" . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name | quote }}
  namespace: {{ $.Release.Namespace | quote }}
  labels: {{- include "listd.labels" . | nindent 4 }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels: {{- include "listd.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "listd.labels" . | nindent 8 }}
        {{- with $.Values.pods.labels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ include "listd.configFile" $ | sha256sum }}
        {{- with $.Values.pods.annotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ $name | quote }}
      automountServiceAccountToken: false
      # Variables such as LISTD_GATEWAY_PORT, which would be derived from a Service's name, are settings of listd.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ add $.Values.pods.preStopSeconds 25 }}
      securityContext: {{- include "listd.podSecurityContext" $ | nindent 8 }}
      {{- include "listd.imagePullSecrets" $ | indent 6 }}
      {{- include "listd.sidecars" $ | indent 6 }}
      containers:
        - name: {{ $component }}
          image: {{ include "listd.image" $ | quote }}
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          command: [/usr/local/bin/listd]
          args: [service, {{ $component }}]
          env: {{- include "listd.env" . | nindent 12 }}
          ports:
            {{- if eq $component "gateway" }}
            - name: http
              containerPort: {{ $values.port }}
            {{- end }}
            - name: ops
              containerPort: {{ $.Values.opsPort }}
          startupProbe:
            httpGet: { path: /health/live, port: ops }
            periodSeconds: 2
            timeoutSeconds: 3
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: ops }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: ops }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              exec:
                command: [sleep, {{ $.Values.pods.preStopSeconds | quote }}]
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "listd.containerSecurityContext" $ | nindent 12 }}
          volumeMounts: {{- include "listd.volumeMounts" $ | nindent 12 }}
      volumes: {{- include "listd.volumes" (list $ $component (include "listd.fullname" $)) | nindent 8 }}
      topologySpreadConstraints:
        {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - topologyKey: {{ $key }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "listd.selector" (list $ $component) | nindent 14 }}
        {{- end }}
      {{- include "listd.placement" . | indent 6 }}
{{- end -}}
