import { canonicalJsonBytes, type JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hexOf, randomHex, sha256 } from '../digest.ts';
import type { NewRecord, BodyOf } from '../shapes.ts';
import type { Redact } from './redaction.ts';
import { NotJson, represent, type Represented } from './represent.ts';

/** A record to be notarized, and the key under which it is notarized once, however often it is sent. Plain JSON. */
export interface CapturedRecord {
  readonly body: NewRecord;
  readonly idempotencyKey: string;
}

export type Contents = 'none' | 'input' | 'output' | 'both';

/** A call that ended. */
export interface EndedCall {
  readonly name: string;
  readonly input: Represented;
  readonly outcome: 'returned' | 'threw';
  /** What it returned or threw. */
  readonly value: unknown;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The record that tells of a call. */
export const recordOf = async (
  call: EndedCall,
  record: Omit<NewRecord, 'criteria'>,
  contents: Contents,
  redact: Redact,
): Promise<CapturedRecord> => ({
  idempotencyKey: randomHex(),
  body: {
    ...record,
    criteria: {
      call: call.name,
      startedAt: new Date(call.startedAt).toISOString(),
      endedAt: new Date(call.endedAt).toISOString(),
      input: await sealed(call.input, contents === 'input' || contents === 'both'),
      outcome: call.outcome,
      output: await outputOf(call, contents === 'output' || contents === 'both', redact),
    },
  },
});

/** The call was made already, so what cannot be told of its output is told as such. */
const outputOf = async (
  { outcome, value }: EndedCall,
  isShown: boolean,
  redact: Redact,
): Promise<JsonObject> => {
  try {
    return await sealed(
      await represent(value, outcome === 'threw' ? 'error' : 'output', redact),
      isShown,
    );
  } catch (error) {
    // Another error may hold what should have been redacted.
    return {
      sha256: null,
      why: error instanceof NotJson ? `a value in it ${error.what}` : 'the redaction failed',
    };
  }
};

const sealed = async ({ json, redacted }: Represented, isShown: boolean): Promise<JsonObject> => ({
  sha256: hexOf(await sha256(canonicalJsonBytes(json))),
  ...(redacted > 0 ? { redacted } : {}),
  ...(isShown ? { value: json } : {}),
});

/** A manifest for records of captured calls, to be registered once by an administrator. */
export const captureManifest = (type: string): BodyOf<'post', '/v1/schemas'> => {
  const side = {
    type: 'object',
    required: ['sha256'],
    properties: {
      sha256: { type: ['string', 'null'] },
      redacted: { type: 'integer' },
      why: { type: 'string' },
    },
  };
  return {
    type,
    completionSchema: {},
    criteriaSchema: {
      type: 'object',
      required: ['call', 'startedAt', 'endedAt', 'input', 'outcome', 'output'],
      properties: {
        call: { type: 'string' },
        startedAt: { type: 'string' },
        endedAt: { type: 'string' },
        input: side,
        outcome: { enum: ['returned', 'threw'] },
        output: side,
      },
    },
  };
};
