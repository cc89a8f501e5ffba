/** What the settings of the operator say of an address, before any name is resolved. */
export interface AddressRules {
  /**
   * Whether the host of a URL is written as an address that no delivery goes to: a private one, unless the operator
   * allows its range. `localhost` and the names below it are addresses of this machine. It is false for any other name,
   * which is looked up when a request leaves.
   *
   * @param host as URL.hostname gives it, an IPv6 address in brackets.
   */
  isForbidden(host: string): boolean;
}
