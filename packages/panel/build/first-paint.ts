/**
 * Build plugin: makes the page paint before the program has loaded. It inserts the frame of the sign-in form
 * into the page, and before everything else a small stylesheet and the script that chooses language and
 * colours. The script receives the names of the program's files, so that it can request them early.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writtenLocales } from '@dala/model'
import type { Plugin, Rolldown } from 'vite'
import { readWords } from './catalogues.ts'
import { firstFrame } from './first-frame.tsx'

/** Files besides the page itself that must be loaded before anything is painted. */
export const firstPaintInputs = {
  'first-paint-look': 'src/first-paint.js',
  'first-paint': 'src/first-paint.css',
  fonts: 'src/fonts.css',
}

type Bundle = Rolldown.OutputBundle

function findAddress(bundle: Bundle, what: string, matches: (file: Bundle[string]) => boolean): string {
  const found = Object.values(bundle).find(matches)
  if (!found) throw new Error(`The build has no ${what}`)
  return `/${found.fileName}`
}

const chunkOf = (bundle: Bundle, module: string) =>
  findAddress(bundle, module, (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)))

const assetOf = (bundle: Bundle, name: string) =>
  findAddress(bundle, name, (file) => file.type === 'asset' && file.names.includes(name))

/**
 * The message files of the sign-in pages and of the panel, by language; the script requests those of the
 * chosen one.
 */
function wordsIn(bundle: Bundle): string {
  const addresses = writtenLocales.map((locale) => [
    locale,
    [chunkOf(bundle, `virtual:catalogue/${locale}`), chunkOf(bundle, `virtual:catalogue/${locale}/panel`)],
  ])
  return JSON.stringify(Object.fromEntries(addresses))
}

const sourceFolder = join(import.meta.dirname, '../src')

/** Sources of class names for the small stylesheet that do not exist; Tailwind ignores them silently. */
function missingSources(): string[] {
  const sheet = readFileSync(join(sourceFolder, 'first-paint.css'), 'utf8')
  const sourcePaths = [...sheet.matchAll(/@source '([^']+)'/g)].map(([, path = '']) => path)
  return sourcePaths.filter((path) => !existsSync(join(sourceFolder, path)))
}

/** Inserts the first paint into the page. */
export function firstPaint(): Plugin {
  return {
    name: 'dala:first-paint',
    buildStart() {
      const missing = missingSources()
      if (missing.length > 0) this.error(`src/first-paint.css names what is not there: ${missing.join(', ')}`)
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) {
          return [
            { tag: 'link', attrs: { rel: 'stylesheet', href: '/src/first-paint.css' }, injectTo: 'head-prepend' },
            {
              tag: 'script',
              attrs: { src: '/src/first-paint.js', 'data-fonts': '/src/fonts.css' },
              injectTo: 'head',
            },
          ]
        }
        const css = assetOf(bundle, 'first-paint.css')
        const fonts = assetOf(bundle, 'fonts.css')
        const frame = `<div id="root">${firstFrame(readWords)}</div>`
        return {
          html: html.replace('<div id="root"></div>', frame),
          tags: [
            {
              tag: 'script',
              attrs: {
                src: chunkOf(bundle, '/src/first-paint.js'),
                'data-styles': assetOf(bundle, 'styles.css'),
                'data-fonts': fonts,
                'data-words': wordsIn(bundle),
                'data-panel': chunkOf(bundle, '/src/app/panel-routes.tsx'),
              },
              injectTo: 'head-prepend',
            },
            { tag: 'link', attrs: { rel: 'stylesheet', href: css }, injectTo: 'head-prepend' },
          ],
        }
      },
    },
  }
}
