import type { JsonObject, JsonValue } from '../../../kernel/canonical-json.ts';
import { NameTable } from './name-table.ts';

/**
 * Counts the enabled issuers of each URL and org. An actor names the URL alone, and issuers that share it differ in their
 * audience, so the URL lets somebody in as long as one of them is enabled.
 */
export class EnabledIssuers {
  private readonly table = new NameTable();

  /** Takes the next act on an issuer. Returns what it does to the URL: `null` if others decide whether the URL lets in. */
  take({ entryType, issuerId, issuerUrl, orgId, enabled }: JsonObject): 'enabled' | 'ended' | null {
    const isEnabled = entryType !== 'ISSUER_DELETED' && enabled !== false;
    const one = nameOf(['issuer', issuerId]);
    const url = nameOf(['url', issuerUrl, orgId]);
    const wasEnabled = this.table.get(one)?.[0] === 1;
    const count = this.table.get(url)?.[0] ?? 0;
    const left = count + Number(isEnabled) - Number(wasEnabled);
    this.table.set(one, Number(isEnabled));
    this.table.set(url, left);
    if (left === 0) return 'ended';
    return count === 0 ? 'enabled' : null;
  }
}

const nameOf = (parts: readonly (JsonValue | undefined)[]): string =>
  JSON.stringify(parts.map((part) => part ?? null));
