import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { dayCell, momentCell, numberCell, textCell, writtenDate } from './cells.ts'
import { csvLine } from './csv.ts'
import { plainText } from '../../../resources/plain-text.ts'
import { XlsxWriter } from './xlsx.ts'

/** Openings of texts that spreadsheets could evaluate, and of any others. */
const openings = ['', '=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ';', ' =', '\u0000', '\ud800', '_x003D_', '<f>']
const hostileText = fc
  .tuple(
    fc.constantFrom(...openings),
    fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('=1+1', 'HYPERLINK("x")', ']]>', '</t>')),
  )
  .map(([opening, text]) => opening + text)

const workbook = (rows: readonly string[][]) => {
  const writer = new XlsxWriter({ title: 'a/b: [c]', columns: [{ heading: textCell('=H'), width: 10 }] })
  return Buffer.concat([writer.rows(rows.map((row) => row.map(textCell))), writer.end()])
}

describe('a text in a cell', () => {
  it('never begins the text of a cell as a formula', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const cell = textCell(text)
        const cellText = cell && 'text' in cell ? cell.text : ''
        expect(cellText).not.toMatch(/^[=+\-@\t\r]/)
        expect(cellText === text || cellText === `'${text}`).toBe(true)
        expect(csvLine([cell])).not.toMatch(/^"?[=+\-@\t]/)
      }),
    )
  })
  it('keeps the text of a cell unchanged when the sheet is read, headings too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 1, maxLength: 8 }), async (texts) => {
        const bytes = workbook(texts.map((text) => [`a${text}`, text]))
        const [heading, ...rows] = await readSheet(bytes)
        expect(heading?.[0]).toBe("'=H")
        // Characters that XML forbids are left out, and line ends are those of cells; the reader trims spaces
        // at the ends.
        const isStorable = (text: string) =>
          text
            .toWellFormed()
            .replaceAll(/\r\n?/g, '\n')
            .replace(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '')
        expect(rows.map(([firstCell]) => String(firstCell).trim())).toEqual(
          texts.map((text) => isStorable(`a${text}`).trim()),
        )
      }),
      { numRuns: 60 },
    )
  })
  it('cuts a text to the maximum length of a cell', () => {
    const cell = textCell('😀'.repeat(30_000))
    const cellText = cell && 'text' in cell ? cell.text : ''
    expect([cellText.length <= 32_767, cellText.isWellFormed(), cellText.endsWith('…')]).toEqual([true, true, true])
  })
})

describe('dates', () => {
  it('writes dates as days, or as moments in the user’s time zone', () => {
    expect(dayCell('2026-03-01')).toEqual({ at: Date.UTC(2026, 2, 1), time: false })
    const clock = () => Date.UTC(2026, 2, 1, 1, 30, 15, 999)
    expect(momentCell('2026-02-28T20:30:15.999Z', clock)).toEqual({ at: Date.UTC(2026, 2, 1, 1, 30, 15), time: true })
    expect(writtenDate({ at: Date.UTC(2026, 2, 1, 9, 5), time: true })).toBe('01.03.2026 09:05')
  })
  it('writes dates before 1900 as texts, because spreadsheets differ', () => {
    expect([dayCell('1899-12-31'), dayCell('0001-01-01')]).toEqual([{ text: '1899-12-31' }, { text: '0001-01-01' }])
  })
})

describe('CSV', () => {
  it('quotes characters that end a cell of CSV, and writes numbers in the local format', () => {
    expect(csvLine([textCell('a;b'), textCell('"x"'), textCell('y\nz'), null, numberCell(-1234.5, 2)])).toBe(
      '"a;b";"""x""";"y\nz";;-1234,5\r\n',
    )
  })
})

describe('a text in a CSV', () => {
  it.each([
    ["x,=1+cmd|' /C calc'!A0", "x,'=1+cmd|' /C calc'!A0"],
    ['x, @SUM(1)', "x, '@SUM(1)"],
    ['x\t+1', "x\t'+1"],
    ['x;-1', `"x;'-1"`],
    ['x\n=1', `"x\n'=1"`],
    ['x,\n=1', `"x,\n'=1"`],
    ['x\r=1', `"x\r'=1"`],
    ['＝1', "'＝1"],
    ['x,＠SUM(1)', "x,'＠SUM(1)"],
    ['a-b, 5+5, c@d', 'a-b, 5+5, c@d'],
  ])('writes the text %j as %j in CSV, but unchanged in a sheet', async (text, csvText) => {
    expect(csvLine([textCell(text)])).toBe(`${csvText}\r\n`)
    const [, row] = await readSheet(workbook([[`a${text}`]]))
    expect(row?.[0]).toBe(`a${text}`.replaceAll('\r', '\n'))
  })
  it('starts no formula in any cell of CSV, whatever separates cells', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab =+-@＝＋－＠,;\t\n\r"')) }), (text) => {
        const line = csvLine([textCell('a'), textCell(text), numberCell(-5, 0)])
        for (const separator of [',', '\t']) {
          const cells = line.slice(0, -';-5\r\n'.length).split(new RegExp(`[${separator}\r\n]`))
          expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([])
        }
        expect(line).toMatch(/;-5\r\n$/)
      }),
    )
  })
})

describe('rich text', () => {
  it.each([
    ['<p>A &amp; b</p><p>c<br>d</p>', 'A & b\nc\nd'],
    ['<ul><li>one</li><li>two</li></ul>', 'one\ntwo'],
    ['<p>&lt;script&gt;</p>', '<script>'],
    ['<table><tr><td>1</td><td>2</td></tr></table>', '1 2'],
    ['', ''],
  ])('converts the rich text %s to %j', (html, text) => {
    expect(plainText(html)).toBe(text)
  })
})
