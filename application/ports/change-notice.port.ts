/**
 * Tells the caches of this process that a row changed, after the commit. Caches of other processes learn of it
 * by their own short lifetime, never later than one second.
 */
export interface ChangeNotice {
  changed(
    kind: 'org' | 'agent' | 'api-key' | 'record-type' | 'issuer' | 'cert' | 'rate-limit-exemption',
    id: string,
  ): void;
}
