/** Writes the pages of shares: the report, the form for the passcode, and notices. They have no script. */
import {
  formatMomentIn,
  locales,
  type Palette,
  type WrittenLocale,
  writtenLocaleNames,
  writtenLocales,
} from '@dala/model'
import { translatorOf } from '../../../resources/labels.ts'
import type { DocumentCell, DocumentTable, ReportDocument } from '../document.ts'
import { chartSvg } from './chart-svg.ts'
import { escapeMarkup } from './escaped.ts'

const address = '/api/statistics/shared/page.css'

/** The page around a text, in the colours of the organisation. */
const frame = (locale: WrittenLocale, palette: Palette, title: string, body: string): string => `<!doctype html>
<html lang="${locale}" data-palette="${palette}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address}">
</head>
<body>
${body}
</body>
</html>
`

const hiddenInputOf = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`

/** A notice in every language, the same for every secret: the language of its reader is unknown. */
export function noticePage(kind: 'gone' | 'busy', palette: Palette): string {
  const paragraphs = locales.map((locale) => {
    const t = translatorOf(locale)
    return `<p lang="${locale}">${escapeMarkup(t(kind === 'gone' ? 'statistics.shares.gone' : 'statistics.shares.busy'))}</p>`
  })
  return frame('en', palette, 'Dala', `<main class="notice"><h1>Dala</h1>\n${paragraphs.join('\n')}</main>`)
}

/** Buttons of the languages, which send a form. */
const languageButtons = (locale: WrittenLocale): string =>
  writtenLocales
    .map((buttonLocale) =>
      buttonLocale === locale
        ? `<span aria-current="true" lang="${buttonLocale}">${writtenLocaleNames[buttonLocale]}</span>`
        : `<button name="locale" value="${buttonLocale}" lang="${buttonLocale}">${writtenLocaleNames[buttonLocale]}</button>`,
    )
    .join('\n')

/** The form for the passcode of a share. */
export function passcodePage({
  locale,
  palette,
  isWrong,
}: {
  locale: WrittenLocale
  palette: Palette
  isWrong: boolean
}): string {
  const t = translatorOf(locale)
  const title = t('statistics.shares.protected')
  const problem = isWrong
    ? `<p id="problem" class="problem" role="alert">${escapeMarkup(t('statistics.shares.wrong'))}</p>`
    : ''
  const problemAttributes = isWrong ? ' aria-invalid="true" aria-describedby="problem"' : ''
  return frame(
    locale,
    palette,
    title,
    `<header><form method="get">${languageButtons(locale)}</form></header>
<main class="notice">
<h1>${escapeMarkup(title)}</h1>
<form method="post" class="passcode">
<label for="passcode">${escapeMarkup(t('statistics.shares.passcode'))}</label>
<input id="passcode" name="passcode" type="password" autocomplete="off" required autofocus${problemAttributes}>
${problem}
${hiddenInputOf('locale', locale)}
<button class="main">${escapeMarkup(t('statistics.shares.open'))}</button>
</form>
</main>`,
  )
}

const cellText = (cell: DocumentCell): string => (cell === null ? '' : 'text' in cell ? cell.text : cell.shown)

function tableOf({ title, columns, rows, chart }: DocumentTable, noData: string): string {
  const shownColumns = columns.flatMap((column, index) => (column.isForSheets ? [] : [{ ...column, index }]))
  const isEnd = (isText: boolean, position: number) => !isText && position > 0
  const heads = shownColumns.map(
    (column, position) =>
      `<th scope="col"${isEnd(column.isText, position) ? ' class="end"' : ''}>${escapeMarkup(column.title)}</th>`,
  )
  const lines = rows.map(({ cells, isTotal }) => {
    const values = shownColumns.map(({ index, isText }, position) => {
      const text = escapeMarkup(cellText(cells[index] ?? null))
      if (position === 0) return `<th scope="row">${text}</th>`
      return `<td${isEnd(isText, position) ? ' class="end"' : ''}>${text}</td>`
    })
    return `<tr${isTotal ? ' class="total"' : ''}>${values.join('')}</tr>`
  })
  const chartDrawing = chart?.points.some(({ value }) => value !== null) ? chartSvg(chart) : ''
  const table =
    rows.length > 0
      ? `<div class="scroll" role="region" aria-label="${escapeMarkup(title)}" tabindex="0"><table><thead><tr>${heads.join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`
      : `<p class="muted">${escapeMarkup(noData)}</p>`
  return `<section><h2>${escapeMarkup(title)}</h2>\n${chartDrawing}${table}</section>`
}

interface PageOptions {
  /** Ticket in place of the passcode; undefined for a share without one. */
  ticket: string | undefined
  expiresAt: string
  isFrozen: boolean
  timeZone: string
  palette: Palette
}

/** The page of a share. */
export function sharePage(
  document: ReportDocument,
  { ticket, expiresAt, isFrozen, timeZone, palette }: PageOptions,
): string {
  const { locale, title, lines, tables } = document
  const t = translatorOf(locale)
  const method = ticket === undefined ? 'get' : 'post'
  const ticketInput = ticket === undefined ? '' : hiddenInputOf('ticket', ticket)
  const factList = lines.map(
    ({ name, text }) => `<div><dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(text)}</dd></div>`,
  )
  const notes = [
    t(isFrozen ? 'statistics.shares.frozenNote' : 'statistics.shares.liveNote'),
    t('statistics.shares.fewNote'),
    t('statistics.shares.until', { time: formatMomentIn(expiresAt, timeZone) }),
  ]
  return frame(
    locale,
    palette,
    `${title} · ${document.period}`,
    `<header>
<form method="${method}">${ticketInput}${languageButtons(locale)}</form>
<form method="${method}">${ticketInput}${hiddenInputOf('locale', locale)}<button name="format" value="pdf">PDF</button></form>
</header>
<main>
<h1>${escapeMarkup(title)}</h1>
<dl>${factList.join('\n')}</dl>
${tables.map((table) => tableOf(table, t('empty.noData'))).join('\n')}
</main>
<footer>${notes.map((note) => `<p>${escapeMarkup(note)}</p>`).join('\n')}</footer>`,
  )
}
