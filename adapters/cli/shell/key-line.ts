/** What a listing of keys shows of one, on the host and by the API. */
export interface ApiKeyRow {
  readonly keyId: string;
  readonly isActive: boolean;
  readonly expiresAt?: string | null;
  readonly lastUsedAt?: string | null;
  readonly label: string | null;
}

export const keyLine = (key: ApiKeyRow): string =>
  `${key.keyId}  ${key.isActive ? 'active ' : 'revoked'}  expires ${key.expiresAt ?? 'never'}  last used ${key.lastUsedAt ?? 'never'}  ${JSON.stringify(key.label ?? '')}`;
