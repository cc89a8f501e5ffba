/** What provisioning files are about, by the name of their folder, in the order in which they build on each other. */
export const KINDS = [
  'orgs',
  'schemas',
  'agents',
  'api-keys',
  'webhooks',
  'trusted-issuers',
] as const;
export type Kind = (typeof KINDS)[number];

export const isKind = (name: string): name is Kind => KINDS.some((kind) => kind === name);

/** Where what belongs to no org has its natural keys. */
export const NO_ORG = '';
