import { defineConfig } from "vitest/config";

// Style sheets are read, which the default replaces by nothing.
const shared = { environment: "node" as const, css: true, testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: { ...shared, name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/e2e/**", "test/contract/**"] },
      },
      { test: { ...shared, name: "contract", include: ["test/contract/**/*.test.ts"], testTimeout: 120_000 } },
      { test: { ...shared, name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 120_000 } },
    ],
  },
});
