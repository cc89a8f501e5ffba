/** Newest first; the first is stateless, the others begin with `initialize`. */
export const MCP_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
