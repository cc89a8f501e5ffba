export { hashWithRuntime } from '../../../adapters/system/runtime-sha256.ts';
export { HubKeys } from '../../../domain/verification/hub-keys.ts';
export { trustOf } from '../../../domain/verification/trust.ts';
export { verifyAuditExport } from '../../../domain/verification/verify-audit-export.ts';
