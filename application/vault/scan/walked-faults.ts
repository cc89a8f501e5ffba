import { Findings } from '../../../domain/verification/report/report.ts';
import type { ChainFaults } from './scan-faults.ts';

/** Hands what is found about several chains at once to the chain that is walked when it is found. */
export class WalkedFaults extends Findings {
  chain: ChainFaults | null = null;

  override fail(...given: Parameters<Findings['fail']>): void {
    this.chain?.fail(...given);
  }
}
