import type { CallContext } from '../call/call-context.ts';
import type { TrustedIssuerReads } from '../../domain/identity/certificate-store.port.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';

export class GetIssuer {
  constructor(private readonly issuers: TrustedIssuerReads) {}

  async execute(
    _context: CallContext,
    { issuerId }: { readonly issuerId: Uuid },
  ): Promise<TrustedIssuer> {
    const issuer = await this.issuers.find(issuerId);
    if (!issuer) throw notFound('trusted issuer');
    return issuer;
  }
}

export class ListIssuers {
  constructor(private readonly issuers: TrustedIssuerReads) {}

  execute(
    _context: CallContext,
    { slice, ...filter }: { readonly orgId?: Uuid; readonly slice: SliceRequest },
  ): Promise<Slice<TrustedIssuer>> {
    return this.issuers.list(filter, slice);
  }
}
