import { createDecipheriv, createPrivateKey, hkdfSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSecretKeys } from '../../../config/setting-types.ts';
import type { SealedKey } from '../../../domain/vault/sealed-key-store.port.ts';
import type { Secret } from './secret-scan.ts';
import type { Body } from '../service/world.ts';

/** A request and its answer, as far as secrets are concerned. */
export interface Exchanged {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly requestHeaders: Headers;
  readonly requestBody: string | null;
  readonly status: number;
  /** Of the answer, in lines. */
  readonly headers: string;
  readonly text: string;
}

interface Text {
  readonly kind: string;
  readonly value: string;
}

/** The answers that show a secret, and where. A new one is one line. */
const SHOWN: readonly {
  readonly route: RegExp;
  readonly kind: string;
  readonly member: readonly string[];
}[] = [
  { route: /^POST \/v1\/admin\/orgs$/, kind: 'an API key', member: ['bootstrapKey', 'apiKey'] },
  { route: /^POST \/v1\/admin\/api-keys$/, kind: 'an API key', member: ['apiKey'] },
  { route: /^POST \/v1\/auth\/keys\/rotate$/, kind: 'an API key', member: ['apiKey'] },
  { route: /^POST \/v1\/auth\/oidc\/cert$/, kind: 'a certificate token', member: ['certJws'] },
  { route: /^POST \/v1\/webhooks$/, kind: 'a webhook secret', member: ['secret'] },
  {
    route: /^POST \/v1\/webhooks\/[^/]+\/rotate$/,
    kind: 'a webhook secret',
    member: ['secret'],
  },
];

/** The members of request bodies that carry one. */
const PRESENTED_MEMBERS = ['oidcToken', 'clientSecret', 'password'] as const;

/** What the answer is there to show. */
export const shownIn = ({ method, path, status, text }: Exchanged): readonly Text[] => {
  if (status >= 300) return [];
  return SHOWN.filter(({ route }) => route.test(`${method} ${path}`)).flatMap(
    ({ kind, member }) => {
      const value = member.reduce<unknown>(
        (part, name) => (part as Body | null | undefined)?.[name],
        parsed(text),
      );
      return typeof value === 'string' ? [{ kind, value }] : [];
    },
  );
};

/** The credentials that came with the request; a made-up one shows what would become of a real one. */
export const presentedIn = ({ requestHeaders, requestBody }: Exchanged): readonly Text[] => {
  const bearer = /^Bearer (\S{24,})$/i.exec(requestHeaders.get('authorization') ?? '')?.[1];
  const subject = requestHeaders.get('x-service-subject-token');
  const body =
    requestBody !== null && PRESENTED_MEMBERS.some((name) => requestBody.includes(name))
      ? (parsed(requestBody) as Body | null)
      : null;
  return [
    ...(bearer === undefined ? [] : [{ kind: 'a presented credential', value: bearer }]),
    ...(subject === null ? [] : [{ kind: 'a subject token', value: subject }]),
    ...PRESENTED_MEMBERS.flatMap((name) =>
      typeof body?.[name] === 'string' ? [{ kind: `a presented ${name}`, value: body[name] }] : [],
    ),
  ];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The private keys behind stored rows, opened apart from the product: PKCS#8, and what in it is secret. */
export const privateKeysOf = (
  rows: readonly SealedKey[],
  kek: Uint8Array,
): readonly Uint8Array[] => {
  const key = Buffer.from(
    hkdfSync('sha256', kek, new Uint8Array(0), 'service.signer-kek.aes-256-gcm.v1', 32),
  );
  return rows.flatMap(({ keyId, algorithm, encryptedPrivateKey }) => {
    const bytes = Buffer.from(encryptedPrivateKey);
    const header = bytes.subarray(0, 9);
    const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(9, 21), {
      authTagLength: 16,
    })
      .setAAD(
        Buffer.concat([
          header,
          Buffer.from(JSON.stringify(['sealed_keys', 'encrypted_private_key', keyId, algorithm])),
        ]),
      )
      .setAuthTag(bytes.subarray(-16));
    const pkcs8 = Buffer.concat([opener.update(bytes.subarray(21, -16)), opener.final()]);
    const { d } = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({
      format: 'jwk',
    });
    return [pkcs8, ...(d === undefined ? [] : [Buffer.from(d, 'base64url')])];
  });
};

/** The keys of a service in a process of its own, as they were given to it or as it made them, in text and in bytes. */
export const secretKeysOf = (env: NodeJS.ProcessEnv, directory: string): readonly Secret[] => [
  ...['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'].flatMap((name) =>
    keysIn(name, env[name] ?? ''),
  ),
  ...(existsSync(directory) ? readdirSync(directory) : []).flatMap((name) =>
    keysIn(`the key of the file ${name}`, readFileSync(join(directory, name), 'utf8')),
  ),
];

const keysIn = (kind: string, text: string): readonly Secret[] => {
  const values = text.trim().split(/[\s,]+/);
  return [...values, ...(parseSecretKeys(values.join(',')) ?? [])].map((value) => ({
    kind,
    value,
  }));
};
