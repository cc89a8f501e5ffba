import type {
  FederationReads,
  IncomingMessage,
  OutgoingMessage,
} from '../../domain/federation/federation-store.port.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import type {
  AuditExportFederation,
  AuditExportMessage,
} from '../../domain/verification/read/audit-export.ts';
import type { PeerVaultKeys } from '../federation/peer-vault-keys.ts';
import { keyStatementOf } from './audit-export-document.ts';

/** What this hub and a peer signed for each other of a record, each byte as it was sent. */
export class ShownFederation {
  constructor(
    private readonly federation: Pick<FederationReads, 'outgoingOf' | 'incomingOf'>,
    private readonly keys: Pick<PeerVaultKeys, 'successionTo'>,
  ) {}

  /**
   * @param record as it was when its chain was closed at the position; what came later is left to the next export.
   * @returns null where the record is of this hub alone.
   */
  async of(record: RecordState, position: number): Promise<AuditExportFederation | null> {
    const { id, federation } = record;
    if (!federation) return null;
    const { role, peerHubId, recordId } = federation;
    const [sent, received] = await Promise.all([
      this.federation.outgoingOf(id),
      this.federation.incomingOf(id),
    ]);
    const keys = await this.keys.successionTo(peerHubId, keyOfPeer(sent, received));
    return {
      role,
      peerHubId,
      peerRecordId: recordId,
      // A registered peer is never taken away, only revoked.
      vaultRoot: keys?.vaultRoot ?? UNKNOWN_ROOT,
      keyStatements: keys?.statements.map(keyStatementOf) ?? [],
      statements: [
        ...sent.filter((one) => one.position <= position).flatMap(sentMessages),
        ...received
          .filter(({ attestation }) => positionOf(attestation) <= position)
          .flatMap((one) => receivedMessages(one, position)),
      ],
    };
  }
}

const UNKNOWN_ROOT = '0'.repeat(64);

/** By which the peer signed what is here of it first; null of a peer that said nothing. */
const keyOfPeer = (
  sent: readonly OutgoingMessage[],
  received: readonly IncomingMessage[],
): string | null => {
  const first = received[0]?.statement ?? sent.find(({ answer }) => answer)?.answer?.attestation;
  return first ? parseStatement(first).header.kid : null;
};

/** Where an attestation stands on the chain of this hub's record. */
const positionOf = (attestation: Uint8Array): number =>
  parseStatement(attestation).header.chain?.position ?? 0;

/** Of a sequence that the peer signed twice, both: the second with the entry that says so, and without entries of the peer. */
const receivedMessages = (
  { sequence, statement, entries, attestation, equivocation }: IncomingMessage,
  upTo: number,
): readonly AuditExportMessage[] => {
  const shown = (bytes: Uint8Array, answer: Uint8Array, brought: readonly Uint8Array[]) =>
    ({
      direction: 'in',
      sequence,
      coseSign1: encodeBase64(bytes),
      entries: brought.map(encodeBase64),
      attestation: encodeBase64(answer),
    }) as const;
  return [
    shown(statement, attestation, entries),
    ...(equivocation && positionOf(equivocation.attestation) <= upTo
      ? [shown(equivocation.statement, equivocation.attestation, [])]
      : []),
  ];
};

/** One that was signed anew is shown with each signature; the answer names one of them. */
const sentMessages = ({
  sequence,
  body,
  former,
  answer,
}: OutgoingMessage): readonly AuditExportMessage[] => {
  const { statement, entries } = JSON.parse(new TextDecoder().decode(body)) as {
    readonly statement: string;
    readonly entries: readonly string[];
  };
  const shown = { direction: 'out', sequence, entries } as const;
  return [
    ...former.map((bytes) => ({ ...shown, coseSign1: encodeBase64(bytes), attestation: null })),
    { ...shown, coseSign1: statement, attestation: answer && encodeBase64(answer.attestation) },
  ];
};
