{{- /*
The annotations of an object that exists before the others, and goes when all of them have succeeded: what has failed stays to
be looked at, and an uninstall leaves nothing. Call it with its weight.
*/ -}}
{{- define "listd.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
