import { decodeBase64Strict } from '../../kernel/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { ecdsaFromDer } from '../../vault/ecdsa-der.ts';
import {
  parseJcsStatement,
  UnreadableError,
  type ReadStatement,
} from '../../vault/parsed-statement.ts';
import { verifySignature } from '../../vault/signatures.ts';
import {
  BUNDLE_MEDIA_TYPE,
  DSSE_PAYLOAD_TYPE,
  preAuthEncoding,
} from '../../vault/sigstore-bundle.ts';
import { checkSubject, predicateKindOf } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import { fingerprintIn, type KeyRing } from '../keys/key-ring.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import { NO_SUBJECT, type Findings } from '../report/report.ts';
import { tellerFor, type Looked, type VerifyOptions } from './reported.ts';
import * as form from '../report/shape.ts';
import { keyName, noKeyOf, ringOf, sayRetired } from '../keys/trusted-ring.ts';
import { SIGNED_ONLY } from './verify-kept-statement.ts';

const BUNDLE_SHAPE: form.Shape = {
  mediaType: form.oneOfTexts(BUNDLE_MEDIA_TYPE),
  verificationMaterial: form.object,
  dsseEnvelope: form.object,
};
const MATERIAL_SHAPE: form.Shape = { publicKey: form.object, tlogEntries: form.list };
const KEY_SHAPE: form.Shape = { hint: form.text };
const ENVELOPE_SHAPE: form.Shape = {
  payload: form.text,
  payloadType: form.oneOfTexts(DSSE_PAYLOAD_TYPE),
  signatures: form.list,
};
const SIGNATURE_SHAPE: form.Shape = { sig: form.text, keyid: form.text };

interface Bundle {
  readonly keyId: string;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Verifies a Sigstore bundle of ours, with nothing beside it but the trusted keys: one statement, signed once more. */
export const verifyBundle = async (
  value: JsonObject,
  options: VerifyOptions,
  findings: Findings,
): Promise<Looked> => {
  const subject = { ...NO_SUBJECT, kind: 'sigstore-bundle' } as const;
  const ring = ringOf(options.trust);
  if (!isOurs(value, ring)) {
    findings.looked('document');
    findings.cannotTell(
      'document',
      'cannot tell: the file is a Sigstore bundle of another project; it names no key that is trusted here, and holds no statement of a notary of this kind. Verify it with the tools of that project',
    );
    return { subject: NO_SUBJECT };
  }
  const bundle = readBundle(value, findings);
  if (!bundle) return { subject };
  const known = ring.get(bundle.keyId)?.verifying ?? null;
  findings.looked('keySuccession');
  if (known) await checkSignature(bundle, known, findings);
  else if (ring.size > 0)
    findings.differentKey({
      signedBy: [keyName(bundle.keyId)],
      trusted: options.trust.names,
    });
  else findings.cannotTell('keySuccession', noKeyOf(bundle.keyId), 'key_needed');
  const predicate = checkStatement(bundle.payload, findings);
  sayRetired(bundle.keyId, options.trust, findings);
  if (findings.isClean) findings.note(SIGNED_ONLY);
  const entries = tellerFor(options);
  if (predicate) entries?.entry(1, predicate);
  const recordId = predicate?.['recordId'];
  return {
    subject: {
      ...subject,
      chainKey: typeof recordId === 'string' ? recordId : null,
      entries: 1,
      keyIds: [bundle.keyId],
    },
    story:
      entries && predicate
        ? {
            entries,
            parties: [],
            criteria: null,
            keys: [{ keyId: bundle.keyId, fingerprint: fingerprintIn(ring, bundle.keyId) }],
          }
        : undefined,
  };
};

/** Whether a bundle claims to be of a notary: by a trusted key that it names, or by what its statement says. */
const isOurs = (value: JsonObject, ring: KeyRing): boolean => {
  const { verificationMaterial: material, dsseEnvelope: envelope } = value;
  const { signatures, payload } = isObject(envelope) ? envelope : {};
  const publicKey = isObject(material) ? material['publicKey'] : undefined;
  const names = [
    isObject(publicKey) ? publicKey['hint'] : undefined,
    ...(Array.isArray(signatures) ? (signatures as readonly JsonValue[]) : []).map((one) =>
      isObject(one) ? one['keyid'] : undefined,
    ),
  ];
  if (names.some((name) => typeof name === 'string' && ring.has(name))) return true;
  const bytes = typeof payload === 'string' ? decodeBase64Strict(payload) : null;
  return bytes !== null && OUR_PREDICATE.test(new TextDecoder().decode(bytes));
};

/** Two marks of our statements, so that a change of one byte does not make a file of ours one of another project. */
const OUR_PREDICATE = /\/predicates\/|"entryType":/;

const readBundle = (value: JsonObject, findings: Findings): Bundle | null => {
  findings.looked('document');
  const fault = (detail: string): null => {
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      detail,
    );
    return null;
  };
  if (!form.fits(value, BUNDLE_SHAPE, 'the bundle', fault)) return null;
  const { verificationMaterial: material, dsseEnvelope: envelope } = value;
  if (!form.fits(material, MATERIAL_SHAPE, 'verificationMaterial', fault)) return null;
  if (!form.fits(envelope, ENVELOPE_SHAPE, 'dsseEnvelope', fault)) return null;
  if (!form.fits(material['publicKey'], KEY_SHAPE, 'publicKey', fault)) return null;
  if ((material['tlogEntries'] as readonly unknown[]).length > 0)
    return fault('tlogEntries: the service writes none, and none is checked');
  const [signature, ...more] = envelope['signatures'] as readonly JsonObject[];
  if (more.length > 0) return fault('signatures has more than one');
  if (!form.fits(signature, SIGNATURE_SHAPE, 'signatures[0]', fault)) return null;
  const keyId = signature['keyid'] as string;
  const payload = decodeBase64Strict(envelope['payload'] as string);
  const sig = decodeBase64Strict(signature['sig'] as string);
  if (!payload || !sig) return fault('payload or sig is not canonical base64');
  if (material['publicKey']['hint'] !== keyId) return fault('the hint is not the keyid');
  return { keyId, payload, signature: sig };
};

const checkSignature = async (
  { keyId, payload, signature }: Bundle,
  key: Parameters<typeof verifySignature>[0],
  findings: Findings,
): Promise<void> => {
  findings.looked('signatures');
  const raw = key.key.algorithm === 'ES256' ? ecdsaFromDer(signature) : signature;
  const signed = preAuthEncoding(DSSE_PAYLOAD_TYPE, payload);
  const result = raw ? await verifySignature(key, raw, signed) : 'invalid';
  if (result === 'valid') return;
  findings.fail(
    'signatures',
    'document',
    result === 'invalid' ? 'CHAIN_SIGNATURE_INVALID' : 'CHAIN_UNSUPPORTED_ALGORITHM',
    { chainKey: null, position: null },
    result === 'invalid'
      ? `the signature is not one of the key ${keyId} over this envelope`
      : `this runtime cannot check ${key.key.algorithm}`,
  );
};

/** @returns the predicate, where the statement is one about a record, of the published form. */
const checkStatement = (payload: Uint8Array, findings: Findings): JsonObject | null => {
  findings.looked('payloadBinding');
  let isSound = true;
  const mismatch = (detail: string): void => {
    isSound = false;
    findings.fail(
      'payloadBinding',
      'document',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey: null, position: null },
      detail,
    );
  };
  const statement = statementIn(payload, mismatch);
  if (!statement) return null;
  const { predicate } = statement;
  const { recordId, entryType, at } = predicate;
  const chainKey = typeof recordId === 'string' ? recordId : '';
  checkSubject(statement, { chainKey, chainKind: 'record', area: 'document', hub: null }, mismatch);
  const fault = predicateFault(predicateKindOf('record', entryType), predicate);
  if (fault) mismatch(fault);
  if (!isTimestamp(at)) mismatch('the sealed time is no ISO 8601 time with milliseconds');
  return isSound && isObject(predicate) ? predicate : null;
};

const statementIn = (
  payload: Uint8Array,
  mismatch: (detail: string) => void,
): ReadStatement | null => {
  try {
    const statement = parseJcsStatement(payload);
    if (!statement) mismatch('the payload is not an in-toto Statement with one subject');
    return statement;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    mismatch(error.message);
    return null;
  }
};
