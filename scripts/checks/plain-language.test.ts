import { describe, expect, it } from 'vitest'
import { listAdvice, findingsIn } from './plain-language.ts'

const makeDocstring = (text: string) => `/** ${text} */`
const makeTest = (opening: string, title: string) => `${opening}('${title}', () => {})`

describe('the check of plain language', () => {
  it.each([
    ['a comment that begins with Who', '// Who saves last wins.'],
    ['a docstring that begins with What is', makeDocstring('What is stored of a file.')],
    ['a docstring of several lines that begins with Whoever', makeDocstring('\n * Whoever asks.\n')],
    ['the notation of results', makeDocstring('Reads a file. Out: its text.')],
    ['the notation of arguments', makeDocstring('\n * In: a path.\n')],
    ['a masculine pronoun in a comment', 'const a = 1 // The reader and his rights'],
    ['a masculine pronoun in a title', makeTest('it', 'shows him the list')],
    ['a title that begins with What has', makeTest('  test', 'what has changed is marked')],
    ['a title of a table of cases', makeTest('it.each(cases)', 'whoever asks for a price is refused')],
  ])('refuses unclear language: %s', (_, text) => {
    expect(findingsIn('a.ts', text)).toHaveLength(1)
  })

  it.each([
    ['a noun as subject', '// The user who saves last wins.'],
    ['an opening in the middle of a comment', '// The rules decide\n// what is stored.'],
    ['code', "const who = { In: 'x', his: 1 }"],
    ['texts of the program', "throw new Error('Who is he?')"],
    ['words that only contain a pronoun', '// This history of the heap'],
    ['an address', "const url = 'https://example.org/he'"],
  ])('accepts plain language: %s', (_, text) => {
    expect(findingsIn('a.ts', text)).toEqual([])
  })

  it('names the file and line of unclear language', () => {
    expect(findingsIn('src/a.ts', 'const a = 1\n\n// Who asks.')).toEqual([
      'src/a.ts:3 opening without a noun: Who asks.',
    ])
  })

  it('advises a standard term for private words of a comment', () => {
    expect(listAdvice('src/a.ts', '// Listeners are told of it, and drafts are kept.')).toEqual([
      'src/a.ts:1 "told": sent, shown, notified',
      'src/a.ts:1 "kept": stored, saved',
    ])
  })
})
