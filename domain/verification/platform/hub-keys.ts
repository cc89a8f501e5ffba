import { compareKeyRows } from './compare-key-rows.ts';
import type { KeyMaterial } from '../keys/key-material.ts';
import { Findings } from '../report/report.ts';
import { VerifyingKeys } from '../../vault/signatures.ts';
import type { Trust } from '../keys/trust.ts';
import { verifyKeyStatements, type KeyOutcome } from './verify-keys.ts';

interface Looked {
  readonly outcome: KeyOutcome;
  readonly findings: Findings;
}

const MAX_OUTCOMES = 64;
const MAX_TEXT_LENGTH = 64 * 1024;

/**
 * Follows the succession of a hub's keys, and does it once where many files repeat it word for word. Only what held
 * without a failure or a doubt is remembered, and only for the trust that it was judged under.
 */
export class HubKeys {
  private readonly verifying = new VerifyingKeys();
  private readonly outcomes = new WeakMap<Trust, Map<string, Looked>>();

  async verify(material: KeyMaterial, trust: Trust, findings: Findings): Promise<KeyOutcome> {
    const known = this.outcomes.get(trust)?.get(material.text);
    const looked = known ?? (await this.look(material, trust));
    findings.absorb(looked.findings);
    if (!known && looked.findings.isClean && material.text.length <= MAX_TEXT_LENGTH)
      this.remember(material.text, trust, looked);
    return looked.outcome;
  }

  private async look(material: KeyMaterial, trust: Trust): Promise<Looked> {
    const findings = new Findings();
    const outcome = await verifyKeyStatements(material.keyStatements, {
      trust,
      embedded: !trust.given,
      keys: this.verifying,
      findings,
    });
    compareKeyRows(material.keys, outcome.ring, findings);
    return { outcome, findings };
  }

  private remember(text: string, trust: Trust, looked: Looked): void {
    const outcomes = this.outcomes.get(trust) ?? new Map<string, Looked>();
    if (outcomes.size >= MAX_OUTCOMES) outcomes.clear();
    this.outcomes.set(trust, outcomes.set(text, looked));
  }
}
