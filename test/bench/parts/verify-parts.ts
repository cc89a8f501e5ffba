export { hashWithRuntime } from '../../../adapters/system/runtime-sha256.ts';
export { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
export { trustOf } from '../../../domain/verification/keys/trust.ts';
export { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
