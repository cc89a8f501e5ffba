import type { PeerAnswer } from '../../domain/federation/message.ts';
import { decodeBase64Strict, encodeBase64 } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { sha256Hex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { nextAt, signStatement } from '../../domain/vault/chain.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import { statement } from '../../domain/vault/statement.ts';
import type { Vault } from '../sealing/vault.ts';

/**
 * An attestation stands on its chain as it was signed. Where its key was retired as compromised before the answer arrived, the
 * peer believes it no more: the answer then brings a confirmation, the same predicate about the bytes of the attestation, by the
 * active key.
 */
export class ConfirmAnswer {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async answer(answer: PeerAnswer): Promise<PeerAnswer> {
    const confirmation = await this.of(answer.attestation);
    return confirmation === null ? answer : { ...answer, confirmation };
  }

  /** The same of a refusal, which is thrown. */
  async refusal(error: unknown): Promise<never> {
    if (!(error instanceof NotaryError) || error.members.attestation === undefined) throw error;
    const confirmation = await this.of(error.members.attestation);
    if (confirmation === null) throw error;
    const members = { ...error.members, confirmation };
    throw new NotaryError(error.code, error.message, members, { cause: error.cause });
  }

  private async of(attestation: string): Promise<string | null> {
    if (this.vault.retirements.size === 0) return null;
    const bytes = decodeBase64Strict(attestation)!;
    const { header, statement: said } = parseStatement(bytes);
    if (!said || this.vault.retirements.get(header.kid)?.reason !== 'compromised') return null;
    const { seal, hub } = this.vault;
    const at = nextAt(this.clock.now(), null, seal);
    const statementHash = sha256Hex(bytes);
    const confirmation = await signStatement(
      seal,
      'projection',
      header.sub,
      statement(
        hub.predicateBase,
        'counter-attestation',
        `statement/${statementHash}`,
        statementHash,
        { ...said.predicate, at, statementHash },
      ),
      at,
    );
    return encodeBase64(confirmation);
  }
}
