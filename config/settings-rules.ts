import { isInside } from './is-inside.ts';
import type { SettingProblem } from './settings-error.ts';
import { signerChoice } from './signer-choice.ts';
import type { SettingName, Settings } from './settings-table.ts';
import type { SignerName } from './signer-settings.ts';

interface Rule {
  readonly of: readonly SettingName[];
  check(settings: Settings): readonly SettingProblem[];
}

const secretMustBeSet = (name: 'API_KEY_PEPPER' | 'SECRETS_KEY' | 'SIGNER_KEK'): Rule => ({
  of: [name, 'NODE_ENV', 'DATABASE_URL'],
  check: (settings) => {
    const production = settings.NODE_ENV === 'production';
    if (settings[name] !== null || (!production && !settings.DATABASE_URL.startsWith('mysql:')))
      return [];
    const because = production
      ? 'with NODE_ENV=production'
      : 'with a MySQL database, which several nodes share';
    return [
      {
        name,
        message: `must be set ${because}. Make one with: openssl rand -base64 32, keep it apart from the database, and give it as ${name} or, in a file, as ${name}_FILE`,
      },
    ];
  },
});

/** File systems of the kernel. `mkdir` with `recursive` never returns there on Node.js 20 to 24. */
const OF_THE_SYSTEM = ['/proc', '/sys'];

const mustBeOnADisk = (
  name: 'DATA_DIR' | 'KEYS_DIR' | 'ANCHOR_PATH' | 'PROVISIONING_SECRETS_DIR',
): Rule => ({
  of: [name],
  check: (settings) =>
    OF_THE_SYSTEM.filter((folder) => settings[name] !== '' && isInside(settings[name], folder)).map(
      (folder) => ({
        name,
        message: `must not be inside ${folder}, where no folder can be made. Name a folder on a disk`,
      }),
    ),
});

/** What a signer cannot do without. */
const NEEDED = {
  software: [],
  pkcs11: ['PKCS11_MODULE', 'PKCS11_TOKEN', 'PKCS11_PIN', 'PKCS11_KEY'],
  'aws-kms': ['AWS_REGION', 'AWS_KMS_KEY_ID'],
  'vault-transit': ['VAULT_ADDR', 'TRANSIT_KEY'],
} as const satisfies Record<SignerName, readonly SettingName[]>;

/** They name the key; a signer that SIGNER_PREVIOUS names with its key does without. */
const KEY_SETTINGS: ReadonlySet<SettingName> = new Set([
  'PKCS11_KEY',
  'AWS_KMS_KEY_ID',
  'TRANSIT_KEY',
]);

const signersAreWhole: Rule = {
  of: ['SIGNER', 'SIGNER_PREVIOUS'],
  check: (settings) => {
    const { current, previous } = signerChoice(settings);
    const lacking = new Map<SettingName, string>();
    for (const [setting, named] of [
      ['SIGNER_PREVIOUS', previous],
      ['SIGNER', current],
    ] as const)
      for (const name of named ? NEEDED[named.signer] : [])
        if (settings[name] === '' && !(named?.key && KEY_SETTINGS.has(name)))
          lacking.set(name, `must be set with ${setting}=${named!.signer}`);
    if (previous && previous.signer === current.signer && (previous.key ?? '') === '')
      lacking.set(
        'SIGNER_PREVIOUS',
        `names the same signer as SIGNER: add the name of the old key, ${previous.signer}:NAME`,
      );
    return [...lacking].map(([name, message]) => ({ name, message }));
  },
};

/** A signature that travels in the clear could be asked for by anybody on the way. */
const signersAreSafe = (name: 'VAULT_ADDR' | 'AWS_KMS_ENDPOINT'): Rule => ({
  of: [name],
  check: ({ [name]: address }) =>
    address === '' ||
    address.startsWith('https:') ||
    /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
      ? []
      : [{ name, message: 'must be https, unless it is on loopback' }],
});

export const RULES: readonly Rule[] = [
  signersAreWhole,
  signersAreSafe('VAULT_ADDR'),
  signersAreSafe('AWS_KMS_ENDPOINT'),
  secretMustBeSet('API_KEY_PEPPER'),
  secretMustBeSet('SECRETS_KEY'),
  secretMustBeSet('SIGNER_KEK'),
  {
    of: ['CONNECTION_TIMEOUT_MS', 'HANDLER_TIMEOUT_MS', 'KEEP_ALIVE_TIMEOUT_MS'],
    check: ({
      HANDLER_TIMEOUT_MS: handler,
      CONNECTION_TIMEOUT_MS: connection,
      KEEP_ALIVE_TIMEOUT_MS: keepAlive,
    }) =>
      handler < connection && connection < keepAlive
        ? []
        : [
            {
              name: 'CONNECTION_TIMEOUT_MS',
              message: `must be above HANDLER_TIMEOUT_MS and below KEEP_ALIVE_TIMEOUT_MS, but they are ${handler}, ${connection} and ${keepAlive} ms`,
            },
          ],
  },
  mustBeOnADisk('DATA_DIR'),
  mustBeOnADisk('KEYS_DIR'),
  mustBeOnADisk('ANCHOR_PATH'),
  mustBeOnADisk('PROVISIONING_SECRETS_DIR'),
  {
    of: ['KEYS_DIR', 'DATA_DIR'],
    check: ({ KEYS_DIR, DATA_DIR }) =>
      isInside(KEYS_DIR, DATA_DIR)
        ? [
            {
              name: 'KEYS_DIR',
              message: `must not be inside DATA_DIR (${DATA_DIR}): a backup of the data would hold the keys`,
            },
          ]
        : [],
  },
  {
    of: ['PROVISIONING_SECRETS_DIR', 'DATA_DIR'],
    check: ({ PROVISIONING_SECRETS_DIR: folder, DATA_DIR }) =>
      folder !== '' && isInside(folder, DATA_DIR)
        ? [
            {
              name: 'PROVISIONING_SECRETS_DIR',
              message: `must not be inside DATA_DIR (${DATA_DIR}): a backup of the data would hold the secrets`,
            },
          ]
        : [],
  },
  {
    of: ['PROVISIONING_SECRETS_DIR', 'PROVISIONING_PATH'],
    check: ({ PROVISIONING_SECRETS_DIR: folder, PROVISIONING_PATH: path }) =>
      folder !== '' && path !== '' && isInside(folder, path)
        ? [
            {
              name: 'PROVISIONING_SECRETS_DIR',
              message: `must not be inside PROVISIONING_PATH (${path}), which holds no secrets`,
            },
          ]
        : [],
  },
  {
    of: ['ANCHOR_PATH', 'DATA_DIR', 'ANCHOR'],
    check: ({ ANCHOR, ANCHOR_PATH, DATA_DIR }) =>
      ANCHOR === 'filesystem' && isInside(ANCHOR_PATH, DATA_DIR)
        ? [
            {
              name: 'ANCHOR_PATH',
              message: `must not be inside DATA_DIR (${DATA_DIR}): who puts an older copy of the data back would put the older anchors back`,
            },
          ]
        : [],
  },
  {
    of: ['GRPC_TLS_CERT', 'GRPC_TLS_KEY', 'GRPC_TLS_CLIENT_CA'],
    check: ({ GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CLIENT_CA: ca }) => {
      if ((cert === '') !== (key === ''))
        return [
          {
            name: cert === '' ? 'GRPC_TLS_CERT' : 'GRPC_TLS_KEY',
            message: 'must be set where the other of the two is',
          },
        ];
      return ca === '' || cert !== ''
        ? []
        : [{ name: 'GRPC_TLS_CERT', message: 'must be set with GRPC_TLS_CLIENT_CA' }];
    },
  },
  {
    of: ['GRPC_PORT', 'PORT'],
    check: ({ GRPC_PORT, PORT, ROLE }) =>
      GRPC_PORT === PORT && PORT !== 0 && ROLE !== 'worker'
        ? [{ name: 'GRPC_PORT', message: `must not be PORT (${PORT})` }]
        : [],
  },
  {
    of: ['RATE_LIMIT_STORE', 'REDIS_URL'],
    check: ({ RATE_LIMIT_STORE, REDIS_URL }) =>
      RATE_LIMIT_STORE === 'redis' && REDIS_URL === ''
        ? [{ name: 'REDIS_URL', message: 'must be set with RATE_LIMIT_STORE=redis' }]
        : [],
  },
  {
    of: ['ANCHOR', 'ANCHOR_S3_BUCKET'],
    check: ({ ANCHOR, ANCHOR_S3_BUCKET }) =>
      ANCHOR === 's3' && ANCHOR_S3_BUCKET === ''
        ? [{ name: 'ANCHOR_S3_BUCKET', message: 'must be set with ANCHOR=s3' }]
        : [],
  },
  {
    of: ['ANCHOR_S3_ACCESS_KEY_ID', 'ANCHOR_S3_SECRET_ACCESS_KEY'],
    check: ({ ANCHOR_S3_ACCESS_KEY_ID: id, ANCHOR_S3_SECRET_ACCESS_KEY: secret }) =>
      (id === '') === (secret === '')
        ? []
        : [
            {
              name: id === '' ? 'ANCHOR_S3_ACCESS_KEY_ID' : 'ANCHOR_S3_SECRET_ACCESS_KEY',
              message: 'must be set where the other of the two is',
            },
          ],
  },
  {
    of: ['ANCHOR_S3_ENDPOINT'],
    check: ({ ANCHOR_S3_ENDPOINT: endpoint }) =>
      !endpoint.startsWith('http:') || isLoopback(new URL(endpoint).hostname)
        ? []
        : [
            {
              name: 'ANCHOR_S3_ENDPOINT',
              message: 'must begin with https:// where it is another machine',
            },
          ],
  },
  {
    of: ['API_KEY_DEFAULT_LIFETIME_SECONDS', 'API_KEY_MAX_LIFETIME_SECONDS'],
    check: ({ API_KEY_DEFAULT_LIFETIME_SECONDS: usual, API_KEY_MAX_LIFETIME_SECONDS: longest }) =>
      usual !== null && longest !== null && usual > longest
        ? [
            {
              name: 'API_KEY_DEFAULT_LIFETIME_SECONDS',
              message: `must not be above API_KEY_MAX_LIFETIME_SECONDS (${longest})`,
            },
          ]
        : [],
  },
];

/** What is wrong, where credentials would travel in the clear; null: nothing. */
export const grpcInTheClear = ({
  HOST,
  ROLE,
  GRPC_PORT,
  GRPC_TLS_CERT,
}: Settings): string | null =>
  GRPC_PORT === 'off' ||
  ROLE === 'worker' ||
  GRPC_TLS_CERT !== '' ||
  isLoopback(HOST) ||
  HOST === '::1'
    ? null
    : `gRPC listens on ${HOST} without TLS, so credentials and content travel in the clear: set GRPC_TLS_CERT and GRPC_TLS_KEY, or GRPC_PORT=off.`;

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
