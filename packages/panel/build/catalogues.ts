/**
 * Build plugin: the compiled messages of each language and script in three parts. `virtual:catalogue/<locale>` has those
 * of the sign-in pages, `virtual:catalogue/<locale>/panel` those of lists,
 * `virtual:catalogue/<locale>/features` those that a first list does not need. A missing message or one with
 * broken syntax stops the build.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isScriptLocale, isWrittenLocale, localeOf, messageInScript, type ScriptLocale, scriptOf } from '@dala/model'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const prefix = 'virtual:catalogue/'
/** Help in Cyrillic: `virtual:help/<language>`. */
const helpPrefix = 'virtual:help/'
const require = createRequire(import.meta.url)

/**
 * Messages that a first visit to a list does not need: forms, record pages, actions on rows and screens of
 * their own. Code that shows them calls `loadFeatureWords` first. Names in the head of every list do not
 * belong here.
 */
const featureKeys =
  /^audit\.(?!(many|one|about)$)|^(?!columns\.(title|widthOf)$|export\.title$)(account|bounds|bulk|certificate|chat|columns|conflict|consultation|cropper|desk|editor|error(?=\.(bulk|chat|convert|course|desk|import|lesson|price|rating|report|routing)\.)|export|form|gallery|guide|help|history|home|import|inbox|learning|library|live|map|notify|palette|people(?=\.(?!(invited?|never|online|years)$))|permissions|player|prices|profile|reference|routing|shortcuts|statistics|stats|system|tour|trading|trash|upload|validation|video|views|[a-z]+(?=\.(bounds|help)\.))\.(?!(many|one|about|coverage|email|password|passwordMismatch|required)$|(fields|values)\.)/
/** Messages of e-mails, which the server writes and the panel leaves out. */
const serverKeyPattern = /^mail\./

function pathOf(written: string, folder = ''): string {
  const locale = isWrittenLocale(written) ? localeOf(written) : written
  return require.resolve(`@dala/model/labels/${folder}${locale}.json`)
}

/** Messages in Cyrillic by language and Latin message: a language is read anew for each part of its messages. */
const cyrillicMessages = new Map<string, string>()

function toCyrillic(message: string, locale: ScriptLocale): string {
  const key = `${locale} ${message}`
  const convertedMessage = cyrillicMessages.get(key) ?? messageInScript(message, locale, 'cyrillic')
  cyrillicMessages.set(key, convertedMessage)
  return convertedMessage
}

/**
 * All messages of a language as the catalogue's source has them, not compiled. Those in Cyrillic are derived
 * from the Latin ones, so that the browser carries no rules for it.
 */
export function readWords(written: string, folder = ''): Record<string, string> {
  const words = JSON.parse(readFileSync(pathOf(written, folder), 'utf8')) as Record<string, string>
  const locale = isWrittenLocale(written) ? localeOf(written) : undefined
  if (!isWrittenLocale(written) || !isScriptLocale(locale) || scriptOf(written) === 'latin') return words
  return Object.fromEntries(Object.entries(words).map(([key, message]) => [key, toCyrillic(message, locale)]))
}

/** Messages of the sign-in pages and of what surrounds every page: toasts, failures, the appearance. */
const startKeys =
  /^(auth|app|theme|lang|toast)\.|^error\.(?!(bulk|chat|convert|course|desk|import|lesson|price|rating|report|routing)\.)|^a11y\.required$|^action\.(close|goHome|retry)$|^field\.(identifier|password|email)$|^message\.(notDone|signedOut)$|^validation\.(email|password|required)$/

const partOfWord = (key: string): string =>
  featureKeys.test(key) ? 'features' : startKeys.test(key) ? 'start' : 'panel'

/** Messages of one part of the panel. */
function partOf(words: Record<string, string>, part: string): Record<string, string> {
  const messagesOfPart = Object.entries(words).filter(
    ([key]) => !serverKeyPattern.test(key) && partOfWord(key) === part,
  )
  return Object.fromEntries(messagesOfPart)
}

/** The cases of a plural or a selection; a plural has its offset besides. */
type CompiledCases = Readonly<Record<string, CompiledMessage | number | undefined>>

const isCases = (value: unknown): value is CompiledCases => typeof value === 'object' && value !== null

/**
 * Replaces `#` in the cases of plurals by a placeholder `#<name>`, whose number `lib/i18n.ts` formats: the
 * runtime would group its digits as in English for Uzbek and Karakalpak.
 */
function withShownNumbers(message: CompiledMessage, plural?: string): CompiledMessage {
  return message.map((token): CompiledMessage[number] => {
    if (token === '#' && plural !== undefined) return [`#${plural}`]
    if (typeof token === 'string') return token
    const [name, kind = '', cases] = token
    if (!isCases(cases)) return token
    const counted = kind === 'select' ? plural : name
    const shownCases = Object.entries(cases).map(([key, text]): [string, CompiledMessage | number | undefined] => [
      key,
      Array.isArray(text) ? withShownNumbers(text, counted) : text,
    ])
    return [name, kind, Object.fromEntries(shownCases)]
  })
}

interface CompiledCatalogue {
  messages: Record<string, CompiledMessage>
  /** Messages that cannot be parsed, with their keys. */
  faults: string[]
}

function compileMessages(words: Record<string, string>): CompiledCatalogue {
  const compiledCatalogue: CompiledCatalogue = { messages: {}, faults: [] }
  for (const key of Object.keys(words).toSorted()) {
    try {
      compiledCatalogue.messages[key] = withShownNumbers(compileMessageOrThrow(words[key] ?? ''))
    } catch (error) {
      compiledCatalogue.faults.push(`${key}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return compiledCatalogue
}

/**
 * Compiles ICU messages ahead of time, as `lingui compile --strict` does, so the browser carries no message
 * parser. In development the English message replaces a missing one; a build fails.
 */
export function catalogues(): Plugin {
  let isStrict = true
  return {
    name: 'dala:catalogues',
    configResolved(config) {
      isStrict = config.command === 'build'
    },
    resolveId(id) {
      return id.startsWith(prefix) || id.startsWith(helpPrefix) ? `\0${id}` : undefined
    },
    load(id) {
      if (id.startsWith(`\0${helpPrefix}`)) {
        const written = id.slice(helpPrefix.length + 1)
        this.addWatchFile(pathOf(written, 'help/'))
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(readWords(written, 'help/')))})`
      }
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [locale = '', part = 'start'] = id.slice(prefix.length + 1).split('/')
      this.addWatchFile(pathOf(locale))
      const english = readWords('en')
      const words = readWords(locale)
      const missing = Object.keys(english).filter((key) => !words[key])
      if (isStrict && missing.length > 0) this.error(`${locale}.json has no words for: ${missing.join(', ')}`)
      const { messages, faults } = compileMessages(partOf({ ...english, ...words }, part))
      if (faults.length > 0) this.error(`${locale}.json: ${faults.join('; ')}`)
      // Browsers parse a JSON string faster than the same value written as code.
      return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))})`
    },
  }
}
