import { setImmediate } from 'node:timers/promises';
import type { DescMessage } from '@bufbuild/protobuf';
import type { Admission, Asked } from '../../application/call/call.port.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { Proofs } from '../../application/call/proofs.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { ifMatchVersions } from '../http/etag.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { bodyRefusal } from '../http/json-body.ts';
import { ownSignature } from '../http/own-signature.ts';
import type { Decode } from './codec/input-decoder.ts';
import { textOf, type Incoming } from './grpc-call.ts';
import { readMessage } from './read-message.ts';

export interface AskedParts {
  readonly json: JsonReader;
  /** Fields and items that one message may hold. */
  readonly maxFields: number;
}

/** The form of an input that comes as a message. */
export interface InputMessage {
  readonly message: DescMessage;
  readonly decode: Decode;
  readonly fixed: object;
}

/** What one call asks: its message, and the metadata beside it. */
export class GrpcAsked implements Asked {
  constructor(
    private readonly incoming: Pick<Incoming, 'metadata'>,
    private readonly form: InputMessage,
    private readonly bytes: Uint8Array,
    private readonly admission: Admission,
    private readonly parts: AskedParts,
    private readonly left?: AbortSignal,
  ) {}

  signal(): AbortSignal {
    return this.left ?? NEVER;
  }

  known(): { readonly [member: string]: unknown } {
    return { ...this.form.fixed };
  }

  proofs(): Proofs | null {
    return proofsBeside(this.incoming, this.bytes);
  }

  key(): string | undefined {
    return idempotencyKeyOf(textOf(this.incoming, 'idempotency-key'));
  }

  expectedVersions(): readonly number[] | undefined {
    return ifMatchVersions(textOf(this.incoming, 'if-match'));
  }

  input(): Iterable<unknown> | Promise<Iterable<unknown>> {
    const { message, decode } = this.form;
    const { maxFields } = this.parts;
    const input = decode(
      readMessage(message, this.bytes, maxFields),
      jsonIn(this.admission, this.parts.json),
    );
    return input instanceof Promise ? input.then((members) => [members]) : [input];
  }
}

const NEVER = new AbortController().signal;

/** Whether metadata holds a co-signature. Signatures of other parties may travel along. */
const isCoSigned = (incoming: Pick<Incoming, 'metadata'>): boolean => {
  const [input, signature, ofBody] = (
    ['signature-input', 'signature', 'x-agent-signature'] as const
  ).map((name) => textOf(incoming, name));
  if (ofBody !== undefined) return true;
  return (input ?? signature) !== undefined && ownSignature(input, signature) !== null;
};

/** The token of whom the caller acts for; null where there is none. */
export const proofsBeside = (
  incoming: Pick<Incoming, 'metadata'>,
  bytes: Uint8Array,
): Proofs | null => {
  if (isCoSigned(incoming))
    throw new NotaryError(
      'VALIDATION_ERROR',
      'gRPC carries no co-signature, and one that was sent would be sealed nowhere.',
      {
        suggestion:
          'Make this call over REST, or over A2A at POST /a2a, where HTTP Message Signatures (RFC 9421) are taken.',
      },
    );
  const subjectToken = textOf(incoming, 'x-service-subject-token');
  if (subjectToken === undefined) return null;
  return { bytes, coSignatures: () => [], subjectToken, dpop: null };
};

/** Read at once of one call, as much as of one body; what is beyond it lets others have their turn first. */
const MAX_AT_ONCE = 64 * 1024;

/** Reads the JSON in one message. */
export const jsonIn = (
  { call, caller }: Admission,
  reader: JsonReader,
): ((bytes: Uint8Array, pointer: string) => JsonValue | Promise<JsonValue>) => {
  const sender = caller?.orgId ?? call.address;
  let read = 0;
  let turn: Promise<unknown> = Promise.resolve();
  return (bytes, pointer) => {
    const refuse = (cause: unknown): never => {
      throw inMember(bodyRefusal(cause), pointer);
    };
    read += bytes.length;
    if (read <= MAX_AT_ONCE || read === bytes.length) {
      try {
        const value = reader.read(bytes, sender);
        return value instanceof Promise ? value.catch(refuse) : value;
      } catch (cause) {
        return refuse(cause);
      }
    }
    const value = turn.then(() => setImmediate()).then(() => reader.read(bytes, sender));
    turn = value.catch(() => undefined);
    return value.catch(refuse);
  };
};

/** The same refusal, of a member and not of a body. */
const inMember = (cause: unknown, pointer: string): unknown => {
  if (!(cause instanceof NotaryError)) return cause;
  const { errors = [] } = cause.members;
  return new NotaryError(
    cause.code,
    cause.message.replace(/^The body/, `The JSON of ${pointer}`),
    { ...cause.members, errors: errors.map((one) => ({ ...one, path: `${pointer}${one.path}` })) },
    { cause },
  );
};
