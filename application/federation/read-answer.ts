import type { PeerAnswer, PeerRefusal } from '../../domain/federation/message.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { JsonReader } from '../call/json-reader.port.ts';
import type { PeerResponse } from './peer-transport.port.ts';

/** What an answer may be: one with an attestation, or a problem document without one. */
export interface ReadAnswer {
  /** With an attestation, which is still to be verified. */
  readonly answer: PeerAnswer | PeerRefusal | null;
  /** Bodies that came with it, as they came. */
  readonly messages: readonly JsonObject[];
  /** Of a 409 SEQUENCE_GAP. */
  readonly expectedSequence: number | null;
  /** A sentence for the operator; null where there is none. */
  readonly detail: string | null;
}

const NOTHING: ReadAnswer = { answer: null, messages: [], expectedSequence: null, detail: null };
/** So many messages of one answer are looked at; the others come by their own request. */
const MAX_MESSAGES = 16;
const MAX_DETAIL = 500;
const OUTCOMES: ReadonlySet<JsonValue | undefined> = new Set(['applied', 'refused', 'stale']);

/** Whatever a peer sends, this does not throw: what cannot be read is an answer without an attestation. */
export const readAnswer = async (
  { status, body }: Pick<PeerResponse, 'status' | 'body'>,
  hubId: Uuid,
  json: JsonReader,
): Promise<ReadAnswer> => {
  const value = await objectIn(body, hubId, json);
  if (!value) return NOTHING;
  const detail = text(value['detail'])?.slice(0, MAX_DETAIL) ?? null;
  if (status === 200) return { ...NOTHING, answer: answerIn(value), messages: messagesIn(value) };
  if (status === 422) return { ...NOTHING, answer: refusalIn(value), detail };
  const expected = value['expectedSequence'];
  const isGap = status === 409 && Number.isSafeInteger(expected) && Number(expected) >= 1;
  return { ...NOTHING, detail, expectedSequence: isGap ? Number(expected) : null };
};

const answerIn = (value: JsonObject): PeerAnswer | null => {
  const messageId = text(value['messageId']);
  const attestation = text(value['attestation']);
  const outcome = value['outcome'];
  if (messageId === null || attestation === null || !OUTCOMES.has(outcome)) return null;
  return {
    messageId,
    attestation,
    outcome: outcome as PeerAnswer['outcome'],
    ...confirmationIn(value),
  };
};

const refusalIn = (value: JsonObject): PeerRefusal | null => {
  const attestation = text(value['attestation']);
  if (attestation === null) return null;
  return {
    outcome: 'refused',
    attestation,
    ...confirmationIn(value),
    code: text(value['code']) ?? 'UNPROCESSABLE',
    detail: text(value['detail'])?.slice(0, MAX_DETAIL) ?? '',
    currentState: text(value['currentState']),
    attemptedState: text(value['attemptedState']),
  };
};

const confirmationIn = (value: JsonObject): Pick<PeerAnswer, 'confirmation'> => {
  const confirmation = text(value['confirmation']);
  return confirmation === null ? {} : { confirmation };
};

const messagesIn = ({ messages }: JsonObject): readonly JsonObject[] =>
  Array.isArray(messages) ? messages.slice(0, MAX_MESSAGES).filter(isObject) : [];

/** A long one is read beside the event loop, and within as many values as a request of a peer may have. */
const objectIn = async (
  body: Uint8Array,
  hubId: Uuid,
  json: JsonReader,
): Promise<JsonObject | null> => {
  try {
    const value = await json.read(body, hubId);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

const text = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null;
