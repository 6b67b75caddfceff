import { required, type Values } from './helm.ts'

const everywhere = { enabled: true, minReplicas: 3, maxReplicas: 9 }

/** Sets of values that together turn on every part of the chart. */
export const valueSets: Readonly<Record<string, Values>> = {
  'the least': required,
  'an Ingress without TLS': { ...required, ingress: { enabled: true, host: 'lists.example.com' } },
  'names that YAML would read as something else': {
    ...required,
    image: { pullSecrets: ['0'] },
    database: { secretName: '123', secretKey: 'on' },
    masterKey: { secretName: 'true' },
    pods: { userId: 1_000_660_000, priorityClassName: 'null' },
    gateway: { publicUrl: 'https://lists.example.com' },
    ingress: { enabled: true, host: '*.example.com', className: 'yes', tlsSecretName: '1e3' },
  },
  'a route of the Gateway API': {
    ...required,
    gateway: { publicUrl: 'https://lists.example.com', service: { port: 8_080 } },
    httpRoute: {
      enabled: true,
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['lists.example.com'],
      annotations: { 'example.com/i': 'j' },
    },
  },
  'no network policies': { ...required, networkPolicy: { enabled: false } },
  'everything there is': {
    fullnameOverride: 'lists-of-the-shop',
    image: { repository: 'registry.example.com/listd', digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'] },
    database: { secretName: 'db', secretKey: 'listd-url', caSecretName: 'db-ca' },
    masterKey: { secretName: 'key' },
    nats: { secretName: 'nats', credsSecretName: 'nats-creds' },
    admin: { email: 'ada@example.com', secretName: 'ada' },
    webhooks: { caSecretName: 'our-ca', caSecretKey: 'ca.pem' },
    config: {
      database: { tls: true, pool: 20 },
      gateway: { trustedProxies: ['10.0.0.0/8'] },
      webhooks: { allowCidrs: ['10.20.0.0/16', '10.30.0.7', 'fd00::1'], timeoutMs: 5_000 },
      items: { maxBytes: 16_777_216 },
    },
    gateway: { autoscaling: everywhere, service: { type: 'LoadBalancer', annotations: { 'example.com/a': 'b' } } },
    identity: { autoscaling: everywhere },
    dispatcher: { autoscaling: everywhere },
    pods: {
      labels: { team: 'lists' },
      annotations: { 'example.com/c': 'd' },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'lists', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'important',
      extraEnv: [{ name: 'LISTD_LOG_LEVEL', value: 'debug' }],
      extraVolumes: [{ name: 'more', configMap: { name: 'more' } }],
      extraVolumeMounts: [{ name: 'more', mountPath: '/more', readOnly: true }],
    },
    migration: { activeDeadlineSeconds: 7_200 },
    serviceAccounts: { annotations: { 'example.com/e': 'f' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'lists.example.com',
      tlsSecretName: 'tls',
      annotations: { 'example.com/g': 'h' },
    },
    networkPolicy: {
      clients: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
      monitoring: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
      database: { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [5433] },
    },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  },
}
