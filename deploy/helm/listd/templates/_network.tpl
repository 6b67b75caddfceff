{{- /* Rules of egress that several components share. */ -}}

{{- define "listd.egressDns" -}}
- to: {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{- define "listd.egressDatabase" -}}
- to: {{- toYaml .Values.networkPolicy.database.to | nindent 4 }}
  ports: {{- include "listd.tcpPorts" .Values.networkPolicy.database.ports | nindent 4 }}
{{- end -}}

{{- define "listd.egressNats" -}}
- to: {{- toYaml .Values.networkPolicy.nats.to | nindent 4 }}
  ports: {{- include "listd.tcpPorts" .Values.networkPolicy.nats.ports | nindent 4 }}
{{- end -}}

{{- define "listd.tcpPorts" -}}
{{- range $n, $port := . }}
{{- if $n }}{{ "\n" }}{{ end -}}
- { protocol: TCP, port: {{ $port }} }
{{- end -}}
{{- end -}}

{{- /*
Where webhooks may lead: the public addresses of shared/net/public-address.ts, and the networks of config.webhooks.allowCidrs.
*/ -}}
{{- define "listd.egressWebhooks" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          - 0.0.0.0/8
          - 10.0.0.0/8
          - 100.64.0.0/10
          - 127.0.0.0/8
          - 168.63.129.16/32
          - 169.254.0.0/16
          - 172.16.0.0/12
          - 192.0.0.0/24
          - 192.0.2.0/24
          - 192.31.196.0/24
          - 192.52.193.0/24
          - 192.88.99.0/24
          - 192.168.0.0/16
          - 192.175.48.0/24
          - 198.18.0.0/15
          - 198.51.100.0/24
          - 203.0.113.0/24
          - 224.0.0.0/4
          - 240.0.0.0/4
    - ipBlock:
        cidr: 2000::/3
        except:
          - 2001::/23
          - 2001:db8::/32
          - 2002::/16
          - 2620:4f:8000::/48
          - 3fff::/20
    {{- range dig "webhooks" "allowCidrs" (list) .Values.config }}
    - ipBlock:
        cidr: {{ include "listd.network" . }}
    {{- end }}
{{- end -}}

{{- /* An address is a network of one. */ -}}
{{- define "listd.network" -}}
{{- if contains "/" . }}{{ . }}{{ else if contains ":" . }}{{ . }}/128{{ else }}{{ . }}/32{{ end -}}
{{- end -}}
