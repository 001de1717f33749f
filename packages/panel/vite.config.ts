/** How the panel is built and served in development. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues } from './build/catalogues.ts'
import { precompress } from './build/precompress.ts'

const api = process.env['DALA_API'] ?? 'http://127.0.0.1:1337'

/** Modules that a first visit to any list needs; what is loaded when it is wanted is not among them. */
const base = [
  'lib/(?!shortcuts\\.)[a-z0-9-]+',
  'app/use-sign-out',
  'api/(?!live|connection)[a-z-]+',
  'ui/(avatar|button|commands|dialog|empty-state|failure-state|field|icon-button|input|language-coverage|mark|menu|page-head)',
  'ui/(pager|popover|scrim|search-select|segmented|select|select-props|sheet|skeleton|spinner|status-chip|status-dot|toast|tooltip)',
  'fields/(cover|field-display|picture|status-tones|targets|use-offers)',
  'fields/filters/(condition|condition-query|filter|filter-values)',
  'resource/(entry-languages|list-conditions|screen-address|use-may)',
  'resource/(list-check|list-columns|list-modes|list-name|list-row|list-search|list-selection|row-menu|seen-screen|use-resource-list)',
]
/** What every list has beside its first paint: loaded together once the rows are there. */
const isListTools =
  /\/panel\/src\/resource\/list-(tools|columns-panel|column-edge|export|notices|dropped|view-actions|views-[a-z]+)\.tsx?$/
const isBase = new RegExp(`/panel/src/(${base.join('|')})\\.tsx?$`)

export default defineConfig({
  plugins: [react(), tailwindcss(), catalogues(), precompress()],
  build: {
    manifest: true,
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // The content policy allows pictures and fonts from our own address only, never from data: addresses.
    assetsInlineLimit: 0,
    // Many small files compress worse and ask more often: what every list and form draws with travels as one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: isBase },
            { name: 'list-tools', test: isListTools, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': api, '/uploads': api, '/socket.io': { target: api, ws: true } },
  },
})
