/**
 * Build plugin: gives the service worker the list of files that it stores, and a fixed address. The list ends
 * at `limit`, so that a growing panel does not use up the bandwidth of its users.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type WrittenLocale, writtenLocales } from '@dala/model'
import type { Plugin, Rolldown } from 'vite'

/** Maximum kilobytes, compressed, that the service worker stores for one language. */
const limit = 1_500

const source = '/panel/src/service-worker.js'
const isWorker = (chunk: { moduleIds: readonly string[] }) => chunk.moduleIds.some((id) => id.endsWith(source))

export const offlineShellInputs = { 'service-worker': 'src/service-worker.js' }

/**
 * Address of the service worker, the same in every build and at the root: a worker controls only pages below
 * its address.
 */
export const fileNameOf = (chunk: { moduleIds: readonly string[] }): string =>
  isWorker(chunk) ? '[name].js' : 'assets/[name]-[hash].js'

const localePattern = /[/:](en|ru|uz-Cyrl|uz|kaa-Cyrl|kaa)(?:\/[a-z-]+|\.json)?$/

/** Language of a file that contains only texts of one language. */
export function languageOf(moduleIds: readonly string[]): WrittenLocale | undefined {
  const [first, ...others] = new Set(moduleIds.map((id) => localePattern.exec(id)?.[1]))
  return others.length === 0 ? writtenLocales.find((locale) => locale === first) : undefined
}

interface SizedFile {
  file: string
  bytes: number
}

/** First files of a list that fit into the size limit of the service worker. */
export function keepWithinLimit(files: readonly SizedFile[], bytes: number): string[] {
  let sum = 0
  return files.filter((file) => (sum += file.bytes) <= bytes).map(({ file }) => file)
}

/** A chunk of the build and all files that it imports statically. */
function closureOf(bundle: Rolldown.OutputBundle, start: string): string[] {
  const found = new Set<string>()
  const queue = [start]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = bundle[name]
    if (file?.type !== 'chunk' || found.has(name)) continue
    found.add(name)
    queue.push(...file.imports)
  }
  return [...found]
}

const sizeOf = (file: Rolldown.OutputAsset | Rolldown.OutputChunk) =>
  gzipSync(file.type === 'chunk' ? file.code : file.source).length

/** Details of the build that the service worker receives. */
export function shellFilesOf(bundle: Rolldown.OutputBundle) {
  const files = Object.values(bundle).filter((file) => /^assets\/.*\.(js|css)$/.test(file.fileName))
  const chunks = files.filter((file) => file.type === 'chunk')
  const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/index.html'))
  const panel = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/src/app/panel-routes.tsx')))
  const page = bundle['index.html']
  if (!entry || !panel || page?.type !== 'asset') throw new Error('The build has no page, no entry or no panel')
  const named = (file: Rolldown.OutputAsset | Rolldown.OutputChunk) =>
    file.type === 'asset' ? file.names.some((name) => /^(first-paint|fonts|styles)\.css$/.test(name)) : false
  const first = new Set([
    ...closureOf(bundle, entry.fileName),
    ...chunks.filter(({ name }) => name === 'first-paint-look').map(({ fileName }) => fileName),
    ...files.filter(named).map(({ fileName }) => fileName),
  ])
  const wordsOf = (locale: WrittenLocale) =>
    chunks.filter(({ moduleIds }) => languageOf(moduleIds) === locale).map(({ fileName }) => fileName)
  const isFirst = (locale: WrittenLocale) => (file: string) => {
    const chunk = bundle[file]
    return chunk?.type === 'chunk' && chunk.moduleIds.some((id) => id.endsWith(`virtual:catalogue/${locale}`))
  }
  const words = Object.fromEntries(writtenLocales.map((locale) => [locale, wordsOf(locale)]))
  const messageFiles = new Set(Object.values(words).flat())
  const earlyFiles = new Set(closureOf(bundle, panel.fileName))
  const rest = files
    .filter(({ fileName }) => !first.has(fileName) && !messageFiles.has(fileName))
    .map((file) => ({ file: `/${file.fileName}`, bytes: sizeOf(file), isEarly: earlyFiles.has(file.fileName) }))
    .toSorted((one, other) => Number(other.isEarly) - Number(one.isEarly) || one.bytes - other.bytes)
  const address = (name: string) => `/${name}`
  return {
    build: createHash('sha256')
      .update(Object.keys(bundle).toSorted().join('\n'))
      .update(page.source)
      .digest('hex')
      .slice(0, 16),
    entry: address(entry.fileName),
    page: [...first].map(address),
    words: Object.fromEntries(
      writtenLocales.map((locale) => {
        const names = words[locale] ?? []
        return [locale, { first: names.filter(isFirst(locale)).map(address), all: names.map(address) }]
      }),
    ),
    rest: keepWithinLimit(rest, limit * 1024),
  }
}

/** Inserts the list of files into the service worker. */
export function offlineShell(): Plugin {
  return {
    name: 'dala:offline-shell',
    apply: 'build',
    generateBundle: {
      // This build hook runs after all other plugins, when the page is complete and the names of hashed files
      // are final.
      order: 'post',
      handler(_options, bundle) {
        const worker = Object.values(bundle).find((file) => file.type === 'chunk' && isWorker(file))
        if (worker?.type !== 'chunk') throw new Error('The build has no service worker')
        const text = JSON.stringify(JSON.stringify(shellFilesOf(bundle)))
        if (!worker.code.includes('__shell__')) throw new Error('The service worker has no place for its files')
        worker.code = worker.code.replace('__shell__', () => text)
      },
    },
  }
}
