/**
 * Finds what plain English rules out and a machine can decide: in comments and titles of tests the notation
 * `Out: …`, openings without a noun, and masculine pronouns for a person in general.
 * `node scripts/checks/plain-language.ts packages/model` lists the findings of one folder.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listChangedLines, listFiles } from '../lib/repository.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

/** A piece of prose in a file, with the number of its line. */
interface ProseText {
  line: number
  text: string
  /** Whether the line begins a comment or a title, whose first words are checked. */
  isOpening: boolean
}

interface Rule {
  name: string
  /** Pattern of the words that the rule of plain language finds. */
  pattern: RegExp
  /** Whether the rule checks only the first words of a comment or a title. */
  isForOpenings?: boolean
}

const rules: readonly Rule[] = [
  { name: 'notation: use @param, @returns and @throws', pattern: /(?:^|[.;] )(?:In|Out): / },
  {
    name: 'opening without a noun',
    pattern:
      /^(?:Who|Whoever|Whom|Whose|Whatever|What (?:is|was|are|were|has|had|he|they|one|it|a|an|the|else)|Of (?:several|whom|what)|To whom|From whom)\b/i,
    isForOpenings: true,
  },
  {
    name: 'masculine pronoun for a person: use they, or name the person',
    pattern: /\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b/,
  },
]

/** Private words with the standard terms for them: advice, because some of their uses are plain English. */
const terms: readonly [RegExp, string][] = [
  [/\b(?:told|tells|hears|heard)\b/, 'sent, shown, notified'],
  [/\bkept\b/, 'stored, saved'],
  [/\bheld\b/, 'pending, locked, buffered'],
  [/\bstands?\b/, 'is stored, is shown, exists'],
  [/\bmeetings?\b|\bclash(?:es)?\b/, 'conflict'],
  [/\bwish(?:es)?\b/, 'request'],
  [/\bwhoever\b/i, 'the user who …'],
  [/\bat once\b/, 'immediately, in one batch'],
  [/\bin sight\b|\bout of sight\b/, 'visible, hidden'],
]

const code = /\.(?:tsx?|mjs)$/u
/** Files that are not checked: texts of the interface and of the demo are no prose about the code. */
const isOutside = /(?:^|\/)(?:labels|seed\/data|season\/data)\/|plain-language/u
const title = /^\s*(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*?)\1/u
const comment = /(?:^|\s)\/\/\s?(.*)$|^\s*\/\*\*?\s?(.*?)(?:\*\/)?$|^\s*\*(?!\/)\s?(.*?)(?:\*\/)?$/u

/** Returns the comments and the titles of tests in a file of code. */
function proseOf(text: string): ProseText[] {
  let isInComment = false
  let formerLine = ''
  return text.split('\n').flatMap((line, index): ProseText[] => {
    const [, , ofTest] = title.exec(line) ?? []
    if (!isInComment && ofTest !== undefined) return [{ line: index + 1, text: ofTest, isOpening: true }]
    const isBlockStart = /^\s*\/\*/u.test(line)
    if (isBlockStart) isInComment = true
    const isBlock = isInComment
    if (isInComment && line.includes('*/')) isInComment = false
    const commentMatch = comment.exec(line)
    const [commentText = ''] = commentMatch
      ? [commentMatch[1] ?? (isBlock ? (commentMatch[2] ?? commentMatch[3]) : undefined) ?? '']
      : []
    const isOpening =
      isBlockStart || (!isBlock && !formerLine.trimStart().startsWith('//')) || formerLine.trim() === '/**'
    formerLine = line
    return commentText === '' ? [] : [{ line: index + 1, text: commentText.trim(), isOpening }]
  })
}

/**
 * Finds what the rules refuse in a file of code.
 *
 * @param file Path from the root of the repository.
 * @param text Its content.
 * @returns A sentence for each finding, with file and line.
 */
export function findingsIn(file: string, text: string): string[] {
  return proseOf(text).flatMap((prose) =>
    rules
      .filter(({ pattern, isForOpenings }) => (!isForOpenings || prose.isOpening) && pattern.test(prose.text))
      .map(({ name }) => `${file}:${prose.line} ${name}: ${prose.text}`),
  )
}

/**
 * Finds private words in a file of code.
 *
 * @param file Path from the root of the repository.
 * @param text Its content.
 * @returns Advice, with file and line.
 */
export function listAdvice(file: string, text: string): string[] {
  return proseOf(text).flatMap(({ line, text: prose }) =>
    terms.flatMap(([pattern, term]) => {
      const privateWord = pattern.exec(prose)?.[0]
      return privateWord === undefined ? [] : [`${file}:${line} "${privateWord}": ${term}`]
    }),
  )
}

const readSource = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
const isChecked = (file: string) => code.test(file) && !isOutside.test(file)

/** Returns advice about private words on the lines that differ from the last commit. */
async function adviseOnChange(): Promise<string[]> {
  const changedLines = await listChangedLines('HEAD').catch(() => new Map<string, ReadonlySet<number>>())
  return [...changedLines]
    .filter(([file]) => isChecked(file))
    .flatMap(([file, lines]) =>
      listAdvice(file, readSource(file)).filter((advice) => lines.has(Number(/:(\d+) /u.exec(advice)?.[1]))),
    )
}

/** Returns the findings about plain language of all files under a folder. */
async function findDocuments(folder = ''): Promise<string[]> {
  const paths = (await listFiles()).filter(
    (file) => file.startsWith(folder) && code.test(file) && !isOutside.test(file),
  )
  return paths.flatMap((file) => findingsIn(file, readFileSync(join(repositoryRoot, file), 'utf8')))
}

export const plainLanguage: Step = {
  name: 'Plain language',
  independent: true,
  run: async () => {
    const foundTerms = await findDocuments()
    if (foundTerms.length > 0) return { ...failedTally, output: foundTerms.join('\n') }
    const adviceLines = await adviseOnChange()
    return adviceLines.length === 0
      ? passedTally
      : { ...passedTally, output: ['Advice on changed lines:', ...adviceLines].join('\n') }
  },
}

if (import.meta.main) {
  const foundTerms = await findDocuments(process.argv[2])
  console.log([...foundTerms, `${foundTerms.length} findings`].join('\n'))
  process.exitCode = foundTerms.length === 0 ? 0 : 1
}
