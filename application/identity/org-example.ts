import { AT, IDS } from '../call/example-story.ts';

export const ORG = {
  id: IDS.org,
  name: 'Acme',
  slug: 'acme',
  createdAt: AT,
  managedBy: null,
  settings: { requireCoSignature: 'none' },
} as const;
