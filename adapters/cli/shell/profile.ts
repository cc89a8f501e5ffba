import { ShellError } from './shell-error.ts';

/** An API key of the profile. */
export interface StoredApiKey {
  readonly kind: 'api-key';
  readonly apiKey: string;
  readonly keyId: string;
  /** ISO 8601; null where it lives until it is revoked. */
  readonly expiresAt: string | null;
}

/** A certificate with the private key that it is bound to, for an hour at most. */
export interface StoredCertificate {
  readonly kind: 'certificate';
  readonly certificate: string;
  /** Ed25519 (RFC 8037): its `d` and `x`. */
  readonly privateKey: { readonly d: string; readonly x: string };
  readonly expiresAt: string;
  readonly login: LoginSettings | null;
}

/** How the last login was made, so that the next one needs no options. */
export interface LoginSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string | null;
  readonly resource: string | null;
  readonly audience: string | null;
}

/** Who one is to which service. */
export interface Context {
  readonly url: string;
  /** SHA-256 of the SPKI of the signing key that is trusted, hex. */
  readonly fingerprint: string | null;
  readonly role: string;
  readonly orgId: string | null;
  /** The agent that its credential belongs to. */
  readonly agentId: string | null;
  /** Of a service that `notary init` started: where it is. */
  readonly directory: string | null;
  readonly credential: StoredApiKey | StoredCertificate;
}

export interface Profile {
  readonly current: string | null;
  readonly contexts: ReadonlyMap<string, Context>;
}

export const EMPTY_PROFILE: Profile = { current: null, contexts: new Map() };

const VERSION = 1;

export const profileText = ({ current, contexts }: Profile): string =>
  `${JSON.stringify({ version: VERSION, current, contexts: Object.fromEntries(contexts) }, null, 2)}\n`;

/** @throws ShellError that names the place at fault. */
export const parseProfile = (text: string, path: string): Profile => {
  const wrong = (what: string, cause?: unknown): ShellError =>
    new ShellError(
      `The profile ${path} is not readable: ${what}. Repair it, or remove it and run: notary init`,
      undefined,
      { cause },
    );
  const value = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw wrong('it is no JSON', cause);
    }
  })();
  if (!isObject(value)) throw wrong('it is no JSON object');
  if (value['version'] !== VERSION) throw wrong(`its version is not ${VERSION}`);
  const { current = null, contexts = {} } = value;
  if (!isObject(contexts)) throw wrong('contexts is no object');
  const read = new Map<string, Context>();
  for (const [name, one] of Object.entries(contexts)) {
    const fault = isContextName(name) ? faultOf(one) : 'has a name that is none';
    if (fault !== null) throw wrong(`the context ${JSON.stringify(name)} ${fault}`);
    read.set(name, one as Context);
  }
  if (current !== null && !(typeof current === 'string' && read.has(current)))
    throw wrong('current names no context');
  return { current, contexts: read };
};

/** A name that is one word in every shell. */
export const isContextName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);

const faultOf = (one: unknown): string | null => {
  if (!isObject(one)) return 'is no object';
  for (const [member, isNullable] of MEMBERS) {
    const value = one[member];
    if (!(typeof value === 'string' || (isNullable && value === null)))
      return `has no ${member} that is a text`;
  }
  if (!URL.canParse(String(one['url']))) return 'has a url that is none';
  const { fingerprint, credential } = one;
  if (fingerprint !== null && !/^[0-9a-f]{64}$/.test(String(fingerprint)))
    return 'has a fingerprint that is none';
  return isCredential(credential) ? null : 'has no credential';
};

const MEMBERS: readonly (readonly [string, boolean])[] = [
  ['url', false],
  ['fingerprint', true],
  ['role', false],
  ['orgId', true],
  ['agentId', true],
  ['directory', true],
];

const isCredential = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { expiresAt, privateKey } = value;
  const has = (name: string): boolean => typeof value[name] === 'string';
  if (value['kind'] === 'api-key')
    return has('apiKey') && has('keyId') && (expiresAt === null || has('expiresAt'));
  return (
    value['kind'] === 'certificate' &&
    has('certificate') &&
    has('expiresAt') &&
    isObject(privateKey) &&
    typeof privateKey['d'] === 'string' &&
    typeof privateKey['x'] === 'string' &&
    (value['login'] === null || isLogin(value['login']))
  );
};

const isLogin = (value: unknown): boolean =>
  isObject(value) &&
  ['issuer', 'clientId'].every((name) => typeof value[name] === 'string') &&
  ['scope', 'resource', 'audience'].every(
    (name) => value[name] === null || typeof value[name] === 'string',
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
