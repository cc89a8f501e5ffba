import type { RateLimitExemption } from '../../domain/identity/rate-limit-exemption.ts';
import type { RateLimitExemptionReads } from '../../domain/identity/rate-limit-exemption-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';

export class GetExemption {
  constructor(private readonly exemptions: Pick<RateLimitExemptionReads, 'find'>) {}

  async execute(
    _context: CallContext,
    { ownerId }: { readonly ownerId: Uuid },
  ): Promise<RateLimitExemption> {
    const exemption = await this.exemptions.find(ownerId);
    if (!exemption) throw notFound('rate-limit exemption');
    return exemption;
  }
}
