import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { PLATFORM_CHAIN, type ChainKind } from '../../vault/chain-key.ts';
import type { AcknowledgedLosses } from '../acknowledged-losses.ts';
import { NameTable } from './name-table.ts';

/** Between the look at a credential and the time that is sealed: a call may wait for a lock, and clocks of nodes differ. */
const WAIT_SECONDS = 60;
const END_OF_TIME = 0xff_ff_ff_ff;

/**
 * Holds who acted by a certificate against what the platform chain, the first one in a dump, says of it: that it was issued
 * to them, until when, and whether it was revoked before. It keeps one name a certificate, and one more for each that was
 * revoked.
 */
export class Certificates {
  private readonly table = new NameTable();
  /** Seconds: a certificate that was given out before is on the platform chain of this dump. */
  private readonly wholeUpTo: number;

  /** @param closedAt of the newest checkpoint of the platform chain, ISO 8601; null without one. */
  constructor(losses: AcknowledgedLosses, closedAt: string | null) {
    const isWhole = closedAt !== null && losses.of(PLATFORM_CHAIN).length === 0;
    this.wholeUpTo = isWhole ? secondsOf(closedAt) : 0;
  }

  /** What is wrong with the certificate that acted; null where none did, or nothing is. */
  faultOf(predicate: JsonObject, chainKind: ChainKind | null): string | null {
    const { actor, at } = predicate;
    if (!isObject(actor) || typeof at !== 'string') return null;
    if (chainKind === 'admin') this.take(predicate, actor, at);
    const { certId } = actor;
    return typeof certId === 'string' ? this.judge(certId, actor, secondsOf(at)) : null;
  }

  private take(predicate: JsonObject, actor: JsonObject, at: string): void {
    const { entryType, certId, certIds, issuedAt, expiresAt } = predicate;
    if (entryType === 'CERT_ISSUED' && typeof certId === 'string' && certId === actor['certId'])
      this.table.set(nameOf(actor), secondsOf(issuedAt, 0), secondsOf(expiresAt, END_OF_TIME));
    if (entryType !== 'CERT_REVOKED' || !Array.isArray(certIds)) return;
    for (const id of certIds as readonly JsonValue[])
      if (!this.table.get(revokedName(id))) this.table.set(revokedName(id), secondsOf(at));
  }

  private judge(certId: string, actor: JsonObject, at: number): string | null {
    const issued = this.table.get(nameOf(actor));
    if (!issued)
      return at + WAIT_SECONDS < this.wholeUpTo
        ? `no CERT_ISSUED of the platform chain gives the certificate ${certId} to the one who acted by it`
        : null;
    const [from, to] = issued;
    if (at + WAIT_SECONDS < from)
      return `the certificate ${certId} was issued at ${textOf(from)}, after this`;
    if (at > to + WAIT_SECONDS)
      return `the certificate ${certId} expired at ${textOf(to)}, before this`;
    const [revoked] = this.table.get(revokedName(certId)) ?? [END_OF_TIME];
    return at > revoked + WAIT_SECONDS
      ? `the certificate ${certId} was revoked at ${textOf(revoked)}, before this`
      : null;
  }
}

/** A certificate is that of one agent, by one subject of one identity provider. */
const nameOf = ({ certId, agentId, oidc }: JsonObject): string => {
  const { iss, sub } = isObject(oidc) ? oidc : {};
  return JSON.stringify([certId, agentId, iss, sub]);
};
const revokedName = (certId: JsonValue): string => JSON.stringify(['revoked', certId]);

const secondsOf = (at: JsonValue | undefined, otherwise = 0): number => {
  const seconds = typeof at === 'string' ? Math.floor(Date.parse(at) / 1000) : NaN;
  return seconds >= 0 && seconds <= END_OF_TIME ? seconds : otherwise;
};
const textOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
