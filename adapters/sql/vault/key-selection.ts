import type { KeySelection } from '../../../domain/identity/identity-store.port.ts';
import { placeholders, type SqlValue } from '../base/session.ts';
import { booleanToSql, timeToSql, uuidToSql } from '../base/values.ts';

/** A selection as a condition on api_keys. */
export const selectedKeys = (
  selection: KeySelection,
): { readonly sql: string; readonly values: readonly SqlValue[] } => {
  const {
    ids,
    exceptId,
    unmanaged,
    ownerId,
    orgId,
    role,
    isActive,
    createdBefore,
    lastUsedBefore,
    neverUsed,
    neverExpires,
  } = selection;
  const parts: readonly (readonly [string, ...SqlValue[]])[] = [
    ...(ids
      ? [
          [
            ids.length > 0 ? `id IN (${placeholders(ids.length)})` : '1 = 0',
            ...ids.map(uuidToSql),
          ] as const,
        ]
      : []),
    ...(exceptId ? [['id <> ?', uuidToSql(exceptId)] as const] : []),
    ...(unmanaged ? [['managed_by IS NULL'] as const] : []),
    ...(ownerId ? [['owner_id = ?', uuidToSql(ownerId)] as const] : []),
    ...(orgId ? [['org_id = ?', uuidToSql(orgId)] as const] : []),
    ...(role ? [['role = ?', role] as const] : []),
    ...(isActive === undefined ? [] : [['is_active = ?', booleanToSql(isActive)] as const]),
    ...(createdBefore ? [['created_at < ?', timeToSql(createdBefore)] as const] : []),
    ...(lastUsedBefore ? [['last_used_at < ?', timeToSql(lastUsedBefore)] as const] : []),
    ...(neverUsed === undefined
      ? []
      : [[neverUsed ? 'last_used_at IS NULL' : 'last_used_at IS NOT NULL'] as const]),
    ...(neverExpires === undefined
      ? []
      : [[neverExpires ? 'expires_at IS NULL' : 'expires_at IS NOT NULL'] as const]),
  ];
  return {
    sql: parts.length > 0 ? parts.map(([sql]) => sql).join(' AND ') : '1 = 1',
    values: parts.flatMap(([, ...values]) => values),
  };
};
