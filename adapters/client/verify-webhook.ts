import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import { bytesOf, sha256 } from './digest.ts';
import type { VerificationKeys } from './shapes.ts';

/** An event as a webhook gets it. Criteria and evidence never travel in one. */
export interface WebhookEvent {
  /** The same on every attempt: tell repetitions by it. */
  readonly id: string;
  readonly type: string;
  readonly recordId: string | null;
  readonly data: { readonly [member: string]: unknown };
  /** Counts the events of the webhook. One that is tried again may come after a later one. */
  readonly eventSequence: number;
  readonly createdAt: string;
}

/** What a receiver was given as a webhook did not come from the service, not now, or not for this receiver. */
export class WebhookRefusal extends Error {
  override readonly name = 'WebhookRefusal';

  constructor(
    readonly reason:
      'signature_missing' | 'signature_invalid' | 'too_old' | 'not_for_us' | 'malformed',
    message: string,
  ) {
    super(message);
  }
}

export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The secret of the scheme hmac, or several of which one holds; of the asymmetric schemes the keys of the service. */
export type WebhookTrust = string | readonly string[] | Pick<VerificationKeys, 'data'>;

export interface WebhookOptions {
  /** How far the time of the signature may be from now, in seconds, to either side; default 300. */
  readonly tolerance?: number;
  /** The receiver's own address, as the webhook was created with it. The asymmetric schemes sign no target, so ask for it there. */
  readonly audience?: string;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/**
 * The event that a webhook brings, once its signature holds over these very bytes.
 *
 * @param body raw, as it was received: JSON that was parsed and written again is other bytes
 * @throws WebhookRefusal
 */
export const verifyWebhook = async (
  headers: WebhookHeaders,
  body: Uint8Array | string,
  trust: WebhookTrust,
  { tolerance = 300, audience, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookEvent> => {
  const header = reader(headers);
  const bytes = bytesOf(body);
  const signedAt =
    typeof trust === 'object' && 'data' in trust
      ? await checkedByKey(header, bytes, trust)
      : await checkedByMac(header, bytes, [trust].flat());
  if (!(Math.abs(now / 1_000 - signedAt) <= tolerance))
    throw new WebhookRefusal(
      'too_old',
      `signed ${Math.round(Math.abs(now / 1_000 - signedAt))} s from now`,
    );
  const event = eventIn(bytes);
  if (audience !== undefined && event.data['audience'] !== audience)
    throw new WebhookRefusal('not_for_us', 'data.audience is another address');
  return event;
};

type Header = (name: string) => string | null;

/** @returns when it was signed, in seconds since 1970 */
const checkedByMac = async (
  header: Header,
  body: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<number> => {
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('no secret to verify with');
  const [t, ...signatures] = (header('x-service-signature') ?? '')
    .split(',')
    .map((part) => part.trim());
  if (!/^t=\d{1,12}$/.test(t!))
    throw missing('X-Service-Signature, of the scheme hmac, is missing or malformed');
  const signed = joined(bytesOf(`${t!.slice(2)}.`), body);
  const macs = signatures
    .flatMap((one) => /^v1=([0-9a-f]{64})$/.exec(one)?.[1] ?? [])
    .slice(0, MAX_SIGNATURES);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', bytesOf(secret), HMAC, false, ['verify']);
    // In constant time, as the runtime compares.
    for (const mac of macs)
      if (await crypto.subtle.verify('HMAC', key, fromHex(mac), signed)) return Number(t!.slice(2));
  }
  throw invalid();
};

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
/** The service sends two at most. */
const MAX_SIGNATURES = 4;

/** RFC 9421, by a signing key of the service. @returns when it was signed, in seconds since 1970 */
const checkedByKey = async (
  header: Header,
  body: Uint8Array<ArrayBuffer>,
  { data }: Pick<VerificationKeys, 'data'>,
): Promise<number> => {
  const [digest, id, input, given] = [
    'content-digest',
    'x-service-idempotency-key',
    'signature-input',
    'signature',
  ].map(header) as [string | null, string | null, string | null, string | null];
  const params = /^sig1=(.*)$/.exec(input ?? '')?.[1] ?? '';
  const [, created, keyId, alg] = COVERED.exec(params) ?? [];
  const signature = decodeBase64Strict(/^sig1=:([^:]+):$/.exec(given ?? '')?.[1] ?? '');
  if (digest === null || id === null || created === undefined || !signature?.length)
    throw missing('Content-Digest, Signature-Input or Signature is missing or malformed');
  const key = data.find((one) => one.keyId === keyId);
  const algorithm = key && ALGORITHMS[`${key.algorithm} ${alg}`];
  if (!algorithm)
    throw new WebhookRefusal(
      'signature_invalid',
      'signed with a key that is not among those given',
    );
  // A key that was stolen after its retirement signs nothing.
  if (key.retiredAt !== null && Date.parse(key.retiredAt) < Number(created) * 1_000)
    throw new WebhookRefusal('signature_invalid', 'signed with a key after it was retired');
  const spki = new Uint8Array(decodeBase64Strict(key.publicKey) ?? []);
  const imported = await crypto.subtle.importKey('spki', spki, algorithm.key, false, ['verify']);
  const base = [
    `"content-digest": ${digest}`,
    `"x-service-idempotency-key": ${id}`,
    `"@signature-params": ${params}`,
  ].join('\n');
  const holds = await crypto.subtle.verify(
    algorithm.sign,
    imported,
    new Uint8Array(signature),
    bytesOf(base),
  );
  const covered =
    decodeBase64Strict(/^sha-256=:([^:]+):$/.exec(digest)?.[1] ?? '') ?? new Uint8Array();
  const actual = await sha256(body);
  const isOfBody = covered.length === 32 && covered.every((byte, at) => byte === actual[at]);
  if (!holds || !isOfBody) throw invalid();
  return Number(created);
};

/** The one form that the service writes. */
const COVERED =
  /^\("content-digest" "x-service-idempotency-key"\);created=(\d{1,12});keyid="([^"\\]*)";alg="([^"\\]*)"$/;

/** By the algorithm of the key and the name that the signature gives it: they have to agree. */
const ALGORITHMS: Readonly<
  Record<
    string,
    { key: { name: string; namedCurve?: string }; sign: { name: string; hash?: string } }
  >
> = {
  'Ed25519 ed25519': { key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
  'ES256 ecdsa-p256-sha256': {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    sign: { name: 'ECDSA', hash: 'SHA-256' },
  },
};

/** Of either format: a CloudEvent holds the envelope as its data. */
const eventIn = (bytes: Uint8Array): WebhookEvent => {
  const value = parsed(bytes);
  const event = 'specversion' in value ? value['data'] : value;
  if (!isEvent(event)) throw new WebhookRefusal('malformed', 'the body is no event');
  return event;
};

const parsed = (bytes: Uint8Array): { readonly [member: string]: unknown } => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null)
      return value as { readonly [member: string]: unknown };
  } catch {
    // Said below, as of anything else that is no event.
  }
  throw new WebhookRefusal('malformed', 'the body is no JSON object');
};

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'type' in value &&
  typeof value.type === 'string' &&
  'data' in value &&
  typeof value.data === 'object' &&
  value.data !== null;

const reader = (headers: WebhookHeaders): Header => {
  if (typeof (headers as Headers).get === 'function')
    return (name) => (headers as Headers).get(name);
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) => {
    const value: unknown = byName.get(name);
    // A header that came twice is not the one that was signed.
    return typeof value === 'string'
      ? value
      : Array.isArray(value) && value.length === 1
        ? String(value[0])
        : null;
  };
};

const missing = (message: string): WebhookRefusal =>
  new WebhookRefusal('signature_missing', message);
const invalid = (): WebhookRefusal =>
  new WebhookRefusal('signature_invalid', 'the signature does not hold over this body');

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
};

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
