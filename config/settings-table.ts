import { SIEM_FORMATS, type SiemFormat } from '../domain/siem/siem-line.ts';
import type { LogLevel } from '../adapters/system/pino-log.ts';
import { isCidr } from '../domain/identity/ip-range.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../domain/vault/algorithm.ts';
import { CANONICALIZATIONS, type Canonicalization } from '../domain/vault/statement.ts';
import {
  choice,
  databaseUrl,
  integer,
  list,
  optionalInteger,
  path,
  portOrOff,
  privateKeyPem,
  ratio,
  redisUrl,
  secretKeys,
  secretText,
  text,
  url,
  type Setting,
} from './setting-types.ts';
import { SIGNER_SETTINGS } from './signer-settings.ts';
import { TRACE_SETTINGS } from './trace-settings.ts';

const TEN_YEARS = 315_360_000;
const CERTIFICATES =
  /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+\/=\s]+-----END CERTIFICATE-----\s*)+$/;

const perMinute = (value: number, description: string): Setting<number> =>
  integer({
    default: value,
    min: 0,
    max: 1_000_000_000,
    unit: 'requests a minute',
    description: `${description}; 0 switches this limit off`,
  });

const milliseconds = (value: number, description: string): Setting<number> =>
  integer({ default: value, min: 1, max: 3_600_000, unit: 'ms', description });

/**
 * Every setting of the service. A default of '' is derived from other settings (see settings.ts).
 * `NAME_FILE` reads any of them from a file.
 */
export const SETTINGS = {
  HOST: text({
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]{1,253}$/,
    allowed: 'a host name or an address without brackets',
    description: 'Address to listen on',
  }),
  PORT: integer({
    default: 3000,
    min: 0,
    max: 65535,
    description: 'Port to listen on; 0 takes any free one',
  }),
  GRPC_PORT: portOrOff({
    default: '',
    defaultText: '50051; off with NODE_ENV=test',
    description: 'Port of the gRPC interface, on HOST; 0 takes any free one, off leaves it out',
  }),
  GRPC_TLS_CERT: text({
    default: '',
    defaultText: 'unset: without TLS',
    pattern: CERTIFICATES,
    allowed: 'certificates in PEM',
    description:
      'Certificate of the gRPC interface, with its intermediates; usually a file, GRPC_TLS_CERT_FILE',
  }),
  GRPC_TLS_KEY: privateKeyPem({
    description: 'Private key of GRPC_TLS_CERT; usually a file, GRPC_TLS_KEY_FILE',
  }),
  GRPC_TLS_CLIENT_CA: text({
    default: '',
    defaultText: 'unset: no client certificates',
    pattern: CERTIFICATES,
    allowed: 'certificates in PEM',
    description:
      'Authorities of client certificates: with it every gRPC client must show one, beside its credential; usually a file, GRPC_TLS_CLIENT_CA_FILE',
  }),
  PUBLIC_URL: url({
    default: '',
    defaultText: 'http://HOST:PORT',
    protocols: ['https:', 'http:'],
    description:
      'The base URL under which callers reach the service; it appears in links and is the audience of credentials',
  }),
  HUB_NAME: text({
    default: '',
    defaultText: 'the name of the host',
    pattern: /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u,
    allowed: 'printable characters on one line',
    description: 'What this hub calls itself to other hubs; it decides nothing',
  }),
  NODE_ENV: choice({
    default: 'development',
    values: ['development', 'test', 'production'],
    description: 'In production no .env file is read and no secret is made by itself',
  }),
  ENVIRONMENT: choice({
    default: 'live',
    values: ['live', 'test'],
    description: 'The environment written into API keys',
  }),
  ROLE: choice({
    default: 'all',
    values: ['all', 'api', 'worker'],
    description:
      'What this process does: answer requests (api), run background jobs (worker; on PORT it answers /livez, /readyz, /health and /metrics alone), or both',
  }),
  METRICS_TOKEN: secretText({
    description:
      'The only credential that opens /metrics, as a bearer token; unset: the same machine may read it, or a platform key with admin:system',
  }),
  LOG_LEVEL: choice<LogLevel>({
    default: 'info',
    values: ['silent', 'error', 'warn', 'info', 'debug'],
    description: 'The least severe log line to write',
  }),
  ...TRACE_SETTINGS,

  DATA_DIR: path({
    default: '',
    defaultText: './data',
    description: 'Directory of the embedded database',
  }),
  KEYS_DIR: path({
    default: '',
    defaultText: '<DATA_DIR>-keys',
    description:
      'Directory of secrets that the first start makes; never inside DATA_DIR, so that a backup of the data holds no key',
  }),
  DATABASE_URL: databaseUrl({
    default: '',
    defaultText: 'sqlite://<DATA_DIR>/notary.sqlite',
    description: 'The database',
  }),
  DATABASE_POOL_SIZE: integer({
    default: 10,
    min: 1,
    max: 1000,
    unit: 'connections',
    description: 'Most connections to MySQL at once',
  }),

  ...SIGNER_SETTINGS,
  VAULT_ALGORITHM: choice<VaultAlgorithm>({
    default: 'Ed25519',
    values: Object.values(ALGORITHMS).map((row) => row.name),
    description: 'Algorithm of the signing keys that the software signer makes',
  }),
  CHECKPOINT_INTERVAL: integer({
    default: 60,
    min: 1,
    max: 1440,
    clamp: true,
    unit: 'min',
    description: 'Time between two rounds of checkpoints',
  }),
  ANCHOR: choice({
    default: 'filesystem',
    values: ['filesystem', 's3', 'none'],
    description:
      'Where copies of checkpoints are kept outside of the database, so that an older copy of it is noticed',
  }),
  ANCHOR_PATH: path({
    default: '',
    defaultText: '<DATA_DIR>-anchors',
    description:
      'Directory of anchors; never inside DATA_DIR, and best on another machine: whoever writes both can put both back',
  }),
  ANCHOR_INTERVAL: integer({
    default: 360,
    min: 5,
    max: 2880,
    clamp: true,
    unit: 'min',
    description: 'Time between two sweeps, each of which anchors 100 chains and the platform chain',
  }),
  ANCHOR_S3_BUCKET: text({
    default: '',
    defaultText: 'unset',
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    allowed: 'the name of a bucket',
    description: 'Bucket of the anchors, with versions and Object Lock',
  }),
  ANCHOR_S3_REGION: text({
    default: 'us-east-1',
    pattern: /^[a-z0-9-]{1,40}$/,
    allowed: 'the name of a region',
    description: 'Region of the bucket',
  }),
  ANCHOR_S3_ENDPOINT: url({
    default: '',
    defaultText: 'that of AWS in the region',
    protocols: ['https:', 'http:'],
    description: 'Address of an S3-compatible server; plain http only on this machine',
  }),
  ANCHOR_S3_ACCESS_KEY_ID: text({
    default: '',
    defaultText: 'unset: the role of the machine, or the AWS settings of the process',
    pattern: /^[\w+/=.-]{1,256}$/,
    allowed: 'an access key id',
    description: 'Access key of the bucket: it needs to put, get and list, and not to delete',
  }),
  ANCHOR_S3_SECRET_ACCESS_KEY: secretText({
    description: 'Secret of ANCHOR_S3_ACCESS_KEY_ID; usually a file',
  }),
  ANCHOR_S3_LOCK: choice({
    default: 'compliance',
    values: ['compliance', 'governance', 'none'],
    description:
      'Object Lock of an anchor: nobody deletes it, only who has a special right does, or none',
  }),
  ANCHOR_S3_LOCK_DAYS: integer({
    default: 3650,
    min: 1,
    max: 36_500,
    unit: 'days',
    description: 'How long an anchor is locked',
  }),
  CHECKPOINT_ORG_READS_INTERVAL: integer({
    default: 360,
    min: 1,
    max: 1440,
    clamp: true,
    unit: 'min',
    description: "Time between two checkpoints of the log of reads of an org's data",
  }),
  TSA_URL: url({
    default: '',
    defaultText: 'unset: no time stamps',
    protocols: ['https:', 'http:'],
    description:
      'Address of an RFC 3161 time-stamp authority, which stamps each round of checkpoints; plain http will do, because what it answers is signed',
  }),
  VAULT_CANONICALIZATION: choice<Canonicalization>({
    default: 'jcs',
    values: Object.values(CANONICALIZATIONS).map((row) => row.name),
    description: 'Form of new statements: JSON by RFC 8785, or CBOR by RFC 8949 section 4.2.1',
  }),
  PREDICATE_BASE: url({
    default: 'https://service.invalid',
    protocols: ['https:', 'http:'],
    description: 'Base of the predicate types in statements; fixed at the first start',
  }),
  MAX_DELEGATION_DEPTH: integer({
    default: 5,
    min: 1,
    max: 10,
    clamp: true,
    unit: 'levels',
    description: 'How deep records may be delegated',
  }),

  DISPUTE_TIER2_SECONDS: integer({
    default: 604_800,
    min: 1,
    max: TEN_YEARS,
    unit: 's',
    description:
      'How long the second tier of a dispute lasts before it goes to the third by itself',
  }),
  DISPUTE_TIER3_SECONDS: integer({
    default: 2_592_000,
    min: 1,
    max: TEN_YEARS,
    unit: 's',
    description:
      'How long the third tier of a dispute lasts before the outcome is upheld by itself',
  }),

  API_KEY_PEPPER: secretKeys({
    several: true,
    description: 'Keys of the HMACs over API keys and their rows',
  }),
  SECRETS_KEY: secretKeys({
    several: true,
    description: 'Keys that encrypt secret columns and sign cursors',
  }),
  SIGNER_KEK: secretKeys({
    several: false,
    description: 'Key that encrypts the private signing keys',
  }),
  API_KEY_DEFAULT_LIFETIME_SECONDS: optionalInteger({
    default: null,
    defaultText: 'unset: keys do not expire',
    min: 1,
    max: TEN_YEARS,
    unit: 's',
    description: 'Lifetime of an API key whose mint asks for none',
  }),
  API_KEY_MAX_LIFETIME_SECONDS: optionalInteger({
    default: null,
    defaultText: 'unset: no bound',
    min: 1,
    max: TEN_YEARS,
    unit: 's',
    description: 'Longest lifetime that a mint or rotation of an API key gives',
  }),
  KEY_ROTATION_MAX_GRACE_SECONDS: integer({
    default: 604_800,
    min: 0,
    max: TEN_YEARS,
    unit: 's',
    description: 'Longest grace of a rotated API key; 0 disables grace',
  }),

  EGRESS_ALLOW_CIDRS_JWKS: list({
    default: [],
    item: isCidr,
    items: 'CIDR ranges or addresses',
    description:
      'Private addresses from which key sets of identity providers may be fetched; all others must be public',
  }),
  EGRESS_ALLOW_CIDRS_WEBHOOK: list({
    default: [],
    item: isCidr,
    items: 'CIDR ranges or addresses',
    description:
      'Private addresses to which webhooks may be delivered; all others must be public. What they answer is not kept',
  }),
  EGRESS_ALLOW_CIDRS_SINK: list({
    default: [],
    item: isCidr,
    items: 'CIDR ranges or addresses',
    description:
      'Private addresses to which the service may push its operational events; all others must be public',
  }),
  EGRESS_ALLOW_CIDRS_PEER: list({
    default: [],
    item: isCidr,
    items: 'CIDR ranges or addresses',
    description:
      'Private addresses at which peers may be reached; all others must be public. Their answers are read',
  }),
  WEBHOOK_RATE_PER_HOST: integer({
    default: 200,
    min: 1,
    max: 100_000,
    unit: 'attempts a second',
    description: 'Deliveries of one org to one host and port',
  }),
  EGRESS_CA: text({
    default: '',
    defaultText: 'unset',
    pattern: CERTIFICATES,
    allowed: 'certificates in PEM',
    description:
      'Certification authorities that are trusted beside the public ones for what the service fetches; usually a file, EGRESS_CA_FILE',
  }),

  PROVISIONING_PATH: path({
    default: '',
    defaultText: 'unset: nothing is provisioned',
    description:
      'Folder of files that say which orgs, agents, keys, record types, webhooks and issuers there are; read at the start, on SIGHUP and when an operator asks',
  }),
  PROVISIONING_SECRETS_DIR: path({
    default: '',
    defaultText: 'unset: files that need a new secret are refused',
    description:
      'Folder into which each secret of a provisioned key or webhook is written once; never inside DATA_DIR',
  }),
  PROVISIONING_PRUNE: choice({
    default: 'false',
    values: ['true', 'false'],
    description:
      'Whether what provisioning made and no file names any more is put out of use: agents deactivated, keys revoked, the rest disabled; orgs never',
  }),
  PROVISIONING_DRY_RUN: choice({
    default: 'false',
    values: ['true', 'false'],
    description: 'Whether provisioning files are only compared, and nothing is written',
  }),
  SIEM_FILE_PATH: path({
    default: '',
    defaultText: 'unset: no file is written',
    description:
      'File that events are pushed to, a line each; the node that holds the lease writes its own',
  }),
  SIEM_FILE_MAX_BYTES: integer({
    default: 104_857_600,
    min: 1_048_576,
    max: 1_000_000_000_000,
    clamp: true,
    unit: 'bytes',
    description:
      'A file of SIEM_FILE_PATH that would become longer gets the time into its name, and a new one is begun; none is deleted',
  }),
  SIEM_HTTP_URL: url({
    default: '',
    defaultText: 'unset: nothing is posted',
    protocols: ['https:'],
    description: 'Collector that events are pushed to, in batches of lines',
  }),
  SIEM_HTTP_TOKEN: secretText({ description: 'Bearer token for SIEM_HTTP_URL; usually a file' }),
  SIEM_HTTP_SECRET: secretText({
    description:
      'Signs each batch to SIEM_HTTP_URL: X-Service-Signature, as that of webhooks; usually a file',
  }),
  SIEM_PUSH_FORMAT: choice<SiemFormat>({
    default: 'ocsf',
    values: SIEM_FORMATS,
    description: 'Form of the lines that are pushed',
  }),
  SIEM_PUSH_BATCH_SIZE: integer({
    default: 50,
    min: 1,
    max: 1000,
    clamp: true,
    unit: 'events',
    description: 'Most lines of one write or request',
  }),
  SIEM_PUSH_FLUSH_MS: integer({
    default: 5000,
    min: 1000,
    max: 3_600_000,
    clamp: true,
    unit: 'ms',
    description: 'How long the first event of a batch waits for others',
  }),
  SIEM_MAX_EVENT_BYTES: integer({
    default: 8192,
    min: 1024,
    max: 1_048_576,
    clamp: true,
    unit: 'bytes',
    description:
      'Longest line of the SIEM stream and of the sinks; a longer one loses its data, then the end of its message',
  }),

  RATE_LIMIT_STORE: choice({
    default: 'memory',
    values: ['memory', 'redis'],
    description:
      'Where calls are counted: memory, each process for itself; redis, all nodes together, and each for itself while Redis is away',
  }),
  REDIS_URL: redisUrl({
    default: '',
    defaultText: 'unset',
    description: 'The Redis server of RATE_LIMIT_STORE=redis, 6.0 or newer; usually a file',
  }),
  RATE_LIMIT_AGENT: perMinute(500, 'Requests of one agent key'),
  RATE_LIMIT_ADMIN: perMinute(
    1000,
    'Requests of the admin keys of an org and of its agents together',
  ),
  RATE_LIMIT_PLATFORM: perMinute(1000, 'Requests of one platform key'),
  RATE_LIMIT_RECORDS_CREATE: perMinute(200, 'Records that one key creates'),
  RATE_LIMIT_PEER: perMinute(
    30_000,
    'Requests of one peer, once its signature was verified; a long body counts as several',
  ),
  RATE_LIMIT_ANONYMOUS: perMinute(300, 'Requests without a valid credential from one address'),
  RATE_LIMIT_EXPORTS: integer({
    default: 2,
    min: 0,
    max: 1000,
    description: 'Exports that one key may have under way at once; 0 switches the limit off',
  }),
  RATE_LIMIT_STREAMS: integer({
    default: 5,
    min: 0,
    max: 1_000_000,
    description:
      'Streams that one key may have open at once, over all protocols; 0 switches the limit off',
  }),
  RATE_LIMIT_ORG_STREAMS: integer({
    default: 100,
    min: 0,
    max: 1_000_000,
    description:
      'Streams that the keys of one org may have open at once on one node; 0 switches the limit off',
  }),
  RATE_LIMIT_NODE_STREAMS: integer({
    default: 2_000,
    min: 0,
    max: 1_000_000,
    description: 'Streams that may be open at once on one node; 0 switches the limit off',
  }),
  RATE_LIMIT_ROUTE_MULTIPLIER: ratio({
    default: 1,
    min: 0,
    max: 1000,
    description: 'Scales the limits of single routes; 0 switches them off',
  }),
  RATE_LIMIT_CALL_BYTES: integer({
    default: 65_536,
    min: 0,
    max: 1_000_000_000,
    unit: 'bytes',
    description:
      'Bytes of a request body, or of an answer, that count as one request, so that 1 MiB counts as 16; 0 counts requests alone',
  }),
  MAX_BODY_BYTES: integer({
    default: 1_048_576,
    min: 1024,
    max: 104_857_600,
    unit: 'bytes',
    description: 'Largest request body; 65536 at most where no credential is asked for',
  }),
  MAX_BODY_VALUES: integer({
    default: 32_768,
    min: 1024,
    max: 10_000_000,
    unit: 'values',
    description: 'Most members and items in one request body, at all depths together',
  }),
  TRUSTED_PROXIES: list({
    default: [],
    item: isCidr,
    items: 'CIDR ranges or addresses',
    description: 'Proxies whose X-Forwarded-For counts',
  }),
  CORS_ORIGINS: list({
    default: [],
    item: (item) => item === '*' || (URL.canParse(item) && new URL(item).origin === item),
    items: 'origins such as https://app.example, or *',
    description: 'Origins of web pages that may call the service',
  }),
  HANDLER_TIMEOUT_MS: milliseconds(
    30_000,
    'Longest time to work on one request; below CONNECTION_TIMEOUT_MS',
  ),
  MAX_QUEUE_MS: integer({
    default: 1000,
    min: 0,
    max: 60_000,
    unit: 'ms',
    description:
      'Longest time that a call may have to wait for those before it, as measured; calls beyond that are refused with 503 before any work is done for them. 0 takes all calls',
  }),
  CONNECTION_TIMEOUT_MS: milliseconds(
    60_000,
    'Longest time for a whole request to arrive; below KEEP_ALIVE_TIMEOUT_MS',
  ),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(72_000, 'How long an idle connection is kept'),
  MAX_CONNECTIONS: integer({
    default: 4096,
    min: 16,
    max: 1_000_000,
    unit: 'connections',
    description:
      'Most open connections; the next one is answered with 503 and closed. The limit of open files must be higher',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({
    default: 512,
    min: 0,
    max: 1_000_000,
    unit: 'connections',
    description:
      'Most open connections of one address that is no trusted proxy; the next one is answered with 429 and closed; 0 switches this limit off',
  }),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;
};
