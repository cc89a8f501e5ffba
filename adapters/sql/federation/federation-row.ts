import type {
  Equivocation,
  IncomingMessage,
  KeptAnswer,
  KeptRefusal,
  Mirror,
  OutgoingMessage,
} from '../../../domain/federation/federation-store.port.ts';
import { decodeBase64Strict, encodeBase64 } from '../../../domain/kernel/base64.ts';
import { sha256Hex } from '../../../domain/kernel/digest.ts';
import {
  BYTES,
  HEX,
  INSTANT,
  INTEGER,
  json,
  nullable,
  oneOf,
  TEXT,
  translated,
  UUID,
} from '../tables/codec.ts';
import { column, derived } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';

export const MIRRORS = sealedTable(
  'federation_mirrors',
  {
    recordId: column('record_id', UUID),
    peerHubId: column('peer_hub_id', UUID),
    homeRecordId: column('home_record_id', UUID),
    manifest: column('manifest', TEXT),
  },
  { key: 'record_id' },
);
export type MirrorRow = Mirror;

const NOTHING = new Uint8Array(0);
const bytesIn = (text: string | undefined): Uint8Array => decodeBase64Strict(text ?? '') ?? NOTHING;
const BYTE_STRINGS = translated<string, readonly Uint8Array[]>(
  (entries) => JSON.stringify(entries.map((entry) => encodeBase64(entry))),
  (text) => (JSON.parse(text) as readonly string[]).map(bytesIn),
);

const EQUIVOCATION = translated<string, Equivocation>(
  ({ statement, attestation }) =>
    JSON.stringify({ statement: encodeBase64(statement), attestation: encodeBase64(attestation) }),
  (text) => {
    const { statement, attestation } = JSON.parse(text) as Readonly<Record<string, string>>;
    return { statement: bytesIn(statement), attestation: bytesIn(attestation) };
  },
);

/** The answer stands in columns of its own: `toFlat` and `fromFlat` turn it. */
export type FlatOutgoing = Omit<OutgoingMessage, 'answer' | 'former'> & {
  readonly former: readonly Uint8Array[] | null;
  readonly outcome: KeptAnswer['outcome'] | null;
  readonly attestation: Uint8Array | null;
  readonly answeredAt: string | null;
};

export const OUTGOING = sealedTable(
  'federation_outgoing',
  {
    messageId: column('message_id', UUID),
    recordId: column('record_id', UUID),
    peerHubId: column('peer_hub_id', UUID),
    sequence: column('sequence', INTEGER),
    route: column('route', oneOf<OutgoingMessage['route']>()),
    body: column('body', BYTES),
    statementHash: column('statement_hash', HEX),
    former: column('former', nullable(BYTE_STRINGS)),
    position: column('position', INTEGER),
    queuedAt: column('queued_at', INSTANT),
    outcome: column('outcome', nullable(oneOf<KeptAnswer['outcome']>())),
    attestation: column('attestation', nullable(BYTES)),
    answeredAt: column('answered_at', nullable(INSTANT)),
    // For the index: one value while it waits.
    inLane: derived('in_lane', nullable(TEXT), ({ outcome }: Pick<FlatOutgoing, 'outcome'>) =>
      outcome === null ? 'waits' : null,
    ),
  },
  { key: 'message_id', except: ['in_lane'] },
);

export const toFlat = ({ answer, former, ...message }: OutgoingMessage): FlatOutgoing => ({
  ...message,
  former: former.length === 0 ? null : former,
  outcome: answer?.outcome ?? null,
  attestation: answer?.attestation ?? null,
  answeredAt: answer?.answeredAt ?? null,
});

export const fromFlat = ({
  outcome,
  attestation,
  answeredAt,
  former,
  ...message
}: FlatOutgoing): OutgoingMessage => ({
  ...message,
  former: former ?? [],
  answer:
    outcome === null || attestation === null || answeredAt === null
      ? null
      : { outcome, attestation, answeredAt },
});

export const INCOMING = sealedTable(
  'federation_incoming',
  {
    messageId: column('message_id', UUID),
    recordId: column('record_id', UUID),
    peerHubId: column('peer_hub_id', UUID),
    sequence: column('sequence', INTEGER),
    route: column('route', oneOf<IncomingMessage['route']>()),
    statement: column('statement', BYTES),
    // Rows are paged by it: no two share it, as several share a record.
    statementHash: derived(
      'statement_hash',
      HEX,
      ({ statement }: Pick<IncomingMessage, 'statement'>) => sha256Hex(statement),
    ),
    payloadHash: column('payload_hash', HEX),
    entries: column('entries', BYTE_STRINGS),
    outcome: column('outcome', oneOf<IncomingMessage['outcome']>()),
    attestation: column('attestation', BYTES),
    refusal: column('refusal', nullable(json<KeptRefusal>())),
    receivedAt: column('received_at', INSTANT),
    equivocation: column('equivocation', nullable(EQUIVOCATION)),
  },
  { key: 'statement_hash' },
);
