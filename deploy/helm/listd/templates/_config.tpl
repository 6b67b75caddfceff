{{- /* The file of settings. What the chart decides is in variables, which override it. */ -}}
{{- define "listd.configFile" -}}
{{- .Values.config | toPrettyJson -}}
{{- end -}}

{{- /* What no schema can say, because it is about several values. */ -}}
{{- define "listd.validate" -}}
{{- $config := .Values.config -}}
{{- $_ := required "database.secretName must name the Secret that holds the URL of the database." .Values.database.secretName -}}
{{- $_ := required "masterKey.secretName must name the Secret that holds the master key; `openssl rand -base64 32` generates one." .Values.masterKey.secretName -}}
{{- $_ := required "nats.url must be the URL of the NATS server, such as nats://nats:4222, or nats.secretName name the Secret that holds it." (or .Values.nats.url .Values.nats.secretName) -}}
{{- if and .Values.nats.url .Values.nats.secretName -}}
{{- fail "nats.url and nats.secretName must not both be set: each sets the address of NATS." -}}
{{- end -}}
{{- if contains "@" .Values.nats.url -}}
{{- fail "nats.url must not contain a password: put the URL into a Secret and name it in nats.secretName." -}}
{{- end -}}
{{- if ne (empty .Values.admin.email) (empty .Values.admin.secretName) -}}
{{- fail "admin.email and admin.secretName belong together: set both or neither." -}}
{{- end -}}
{{- if and .Values.database.caSecretName (not (dig "database" "tls" false $config)) -}}
{{- fail "database.caSecretName needs config.database.tls: true, because connections would not be encrypted without it." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.host must be the host name of the API while ingress.enabled is true." -}}
{{- end -}}
{{- if and (hasPrefix "*" .Values.ingress.host) (not .Values.gateway.publicUrl) -}}
{{- fail "gateway.publicUrl must be the address that clients use while ingress.host is a wildcard." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.parentRefs must name the Gateways while httpRoute.enabled is true." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.gateway.publicUrl) -}}
{{- fail "gateway.publicUrl must be the address that clients use while httpRoute.enabled is true." -}}
{{- end -}}
{{- if and .Values.pods.sidecars (semverCompare "<1.29.0-0" .Capabilities.KubeVersion.Version) -}}
{{- fail "pods.sidecars needs Kubernetes 1.29 or later, which ends them when the migration has ended." -}}
{{- end -}}
{{- if eq (int .Values.gateway.port) (int .Values.opsPort) -}}
{{- fail "gateway.port and opsPort must differ." -}}
{{- end -}}
{{- range $name := list "gateway" "identity" "dispatcher" -}}
{{- with (index $.Values $name).autoscaling -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- fail (printf "%s.autoscaling.minReplicas must not be greater than maxReplicas." $name) -}}
{{- end -}}
{{- if and .enabled (not (dig "requests" "cpu" "" (index $.Values $name).resources)) -}}
{{- fail (printf "%s.resources.requests.cpu must be set while %s.autoscaling is enabled, because its target is a percentage of it." $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
