{{- /* The annotations of an object that exists before the others. Call it with its weight. */ -}}
{{- define "listd.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end -}}
