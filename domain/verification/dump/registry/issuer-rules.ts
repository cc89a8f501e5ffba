import type { JsonObject, JsonValue } from '../../../kernel/canonical-json.ts';
import { NameTable } from './name-table.ts';
import { secondsOf, textOf } from './platform-registry.ts';

const ENABLED = 1;
const FOR_AGENTS = 2;
/** An issuer that states no limit; earlier builds always stated one. */
const NO_LIMIT = 0xff_ff_ff_ff;

/**
 * What each trusted issuer allows, as the newest act on it says. The issuer is locked while a certificate is issued, so the
 * position of a certificate tells which rules it was issued under.
 */
export class IssuerRules {
  private readonly rules = new NameTable();

  /** What is wrong with the next act. */
  faultsOf(act: JsonObject): readonly string[] {
    const { entryType, issuerId } = act;
    if (entryType === 'ISSUER_CREATED' || entryType === 'ISSUER_UPDATED') this.take(act);
    const rules = entryType === 'CERT_ISSUED' ? this.rules.get(nameOf(issuerId)) : null;
    if (!rules) return [];
    const [flags, maxSeconds] = rules;
    const issuer = `the trusted issuer ${textOf(issuerId)}`;
    const seconds = secondsOf(act['expiresAt'], NO_LIMIT) - secondsOf(act['issuedAt']);
    return [
      ...(flags & ENABLED ? [] : [`${issuer} was disabled before this`]),
      ...(flags & FOR_AGENTS ? [] : [`${issuer} lets in no agents`]),
      ...(seconds > maxSeconds
        ? [`the certificate lasts ${seconds} s, and ${issuer} allows ${maxSeconds} s`]
        : []),
    ];
  }

  private take({ issuerId, enabled, appliesTo, maxCredentialTtlSeconds }: JsonObject): void {
    const flags = (enabled === false ? 0 : ENABLED) | (appliesTo === 'admin' ? 0 : FOR_AGENTS);
    this.rules.set(nameOf(issuerId), flags, limitOf(maxCredentialTtlSeconds));
  }
}

const limitOf = (value: JsonValue | undefined): number =>
  typeof value === 'number' && value >= 0 && value < NO_LIMIT ? Math.floor(value) : NO_LIMIT;

const nameOf = (issuerId: JsonValue | undefined): string => JSON.stringify(issuerId ?? null);
