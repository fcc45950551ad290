// Builds the page into dist/, from where the server takes it into its binary.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const server = process.env['DOSSIER_URL'] ?? 'http://127.0.0.1:7717';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // The policy of the page allows no inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': server, '/docs': server, '/openapi.json': server } },
});
