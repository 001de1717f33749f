/**
 * Refuses citations of the specification that lead nowhere. Each section sign with a number names a document
 * of `docs/spec` and one of its headings, as `docs/spec/README.md` explains.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'
import { listFiles } from '../lib/repository.ts'
import { failedTally, passedTally, skippedTally, type Step } from '../lib/step.ts'

const folder = 'docs/spec/'

/** Names by which documents are cited when they differ from the file name. */
const shorterNames: Readonly<Record<string, string>> = { 'security-checklist': 'checklist' }

/** The numbers of the headings of each document, by the name under which it is cited. */
type Sections = ReadonlyMap<string, ReadonlySet<string>>

/** Reference to a section of the specification that does not exist. */
interface DanglingReference {
  /** Line of the wrong reference, counted from 1. */
  line: number
  /** Text of the wrong reference with the word before it. */
  text: string
  problem: string
}

const referencePattern = /\u00a7 ?(\d+(?:\.\d+)*)/gu
const wordBefore = /([\p{L}\d][\p{L}\d./-]*) $/u
/** Pattern of the text between two sections of one document, such as a comma or "and". */
const sectionSeparator = /^(?:,? (?:and|or|to) |, |[-–]|; )$/u
/** Pattern of the words before a section of the citing document itself. */
const ownSectionWords = new Set(['and', 'as', 'by', 'from', 'in', 'of', 'or', 'see', 'than', 'therefore', 'to', 'with'])
/** Pattern of a line end with the sign that begins the next line of a comment. */
const lineBreak = /[ \t]*\r?\n[ \t]*(?:(?:\*|\/\/+|--)(?!\/))?[ \t]*/gu

/**
 * Returns the name by which a document is cited.
 *
 * @param file Path of a document of the specification.
 * @returns Its file name, or the shorter name that is used instead.
 */
function citedName(file: string): string {
  const name = basename(file, '.md')
  return shorterNames[name] ?? name
}

/**
 * Reads which sections can be cited.
 *
 * @param documents - The text of each document by its path.
 * @returns The numbers of the headings `## 4. …` of each document.
 */
export function readSections(documents: Readonly<Record<string, string>>): Sections {
  return new Map(
    Object.entries(documents).map(([file, text]) => [
      citedName(file),
      new Set([...text.matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gmu)].map(([, number = '']) => number)),
    ]),
  )
}

/** Returns the text as one line of the same length, so that a reference may span two lines of a comment. */
function joinLines(text: string): string {
  return text.replaceAll(lineBreak, (lineBreakText) => ` ${'\0'.repeat(lineBreakText.length - 1)}`)
}

/** Returns a piece of joined lines as the file contains it. */
const originalTextOf = (text: string) => text.replaceAll('\0', '')

/**
 * Finds the references of a file that lead nowhere.
 *
 * @param file - Path of the file. A document of the specification may cite its own sections by the number
 *   alone.
 * @param text - Its text.
 * @param sections - The sections that exist.
 * @returns The dangling references in order.
 */
export function danglingReferences(file: string, text: string, sections: Sections): DanglingReference[] {
  const joinedText = joinLines(text)
  const ownDocument = file.startsWith(folder) ? citedName(file) : undefined
  const foundReferences: DanglingReference[] = []
  let precedingReference: { end: number; document: string | undefined } | undefined
  for (const referenceMatch of joinedText.matchAll(referencePattern)) {
    const [sign, number = ''] = referenceMatch
    const precedingWord = wordBefore.exec(
      originalTextOf(joinedText.slice(Math.max(0, referenceMatch.index - 200), referenceMatch.index)),
    )?.[1]
    const document = documentOf(
      precedingWord,
      precedingReference && {
        ...precedingReference,
        between: originalTextOf(joinedText.slice(precedingReference.end, referenceMatch.index)),
      },
    )
    precedingReference = { end: referenceMatch.index + sign.length, document }
    const problem = problemOf(document, number)
    if (problem === undefined) continue
    const line = text.slice(0, referenceMatch.index).split('\n').length
    foundReferences.push({
      line,
      text: originalTextOf(precedingWord === undefined ? sign : `${precedingWord} ${sign}`),
      problem,
    })
  }
  return foundReferences

  /**
   * The cited document is named before the section sign or by the reference before it; otherwise it is the
   * file itself.
   */
  function documentOf(
    precedingWord: string | undefined,
    formerReference: { between: string; document: string | undefined } | undefined,
  ): string | undefined {
    const name = precedingWord && `${precedingWord.slice(0, 1).toLowerCase()}${precedingWord.slice(1)}`
    if (name !== undefined && sections.has(name)) return name
    if (formerReference !== undefined && sectionSeparator.test(formerReference.between)) return formerReference.document
    if (name === undefined || ownSectionWords.has(name)) return ownDocument
    return ownDocument !== undefined && formerReference?.document === ownDocument ? ownDocument : name
  }

  function problemOf(document: string | undefined, number: string): string | undefined {
    if (document === undefined) return 'names no document'
    const headings = sections.get(document)
    if (headings === undefined) return `"${document}" is no document of ${folder}`
    return headings.has(number) ? undefined : `${document} has no section ${number}`
  }
}

/** Migrations that are released never change, and the oldest cite documents by a former name. */
const isReleased = (file: string) => /\/migrations\/.*\.sql$/u.test(file)

/** Returns the text of a file; undefined for a missing or binary file. */
function readText(file: string): string | undefined {
  try {
    const content = readFileSync(join(repositoryRoot, file))
    return content.includes(0) ? undefined : content.toString('utf8')
  } catch {
    return undefined
  }
}

export const sectionReferences: Step = {
  name: 'References to the specification',
  independent: true,
  run: async () => {
    const files = await listFiles().catch(() => undefined)
    if (files === undefined) return { ...skippedTally, output: 'Left out: git does not say which files there are.' }
    const documents = readdirSync(join(repositoryRoot, folder)).filter((name) => name !== 'README.md')
    const sections = readSections(
      Object.fromEntries(documents.map((name) => [name, readFileSync(join(repositoryRoot, folder, name), 'utf8')])),
    )
    const lines = files
      .filter((file) => !isReleased(file))
      .flatMap((file) =>
        danglingReferences(file, readText(file) ?? '', sections).map(
          ({ line, text, problem }) => `${file}:${line}: ${text}: ${problem}`,
        ),
      )
    return lines.length > 0 ? { ...failedTally, output: lines.join('\n') } : passedTally
  },
}
