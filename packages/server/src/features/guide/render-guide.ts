/** Renders pages of the guide: Markdown with names of controls from the message catalogue, as plain HTML. */
import {
  convertMarkup,
  guideChapters,
  inScript,
  isScriptLocale,
  localeOf,
  scriptOf,
  type WrittenLocale,
  writtenLocaleNames,
  writtenLocales,
} from '@dala/model'
import { Marked, type Tokens } from 'marked'
import { labelsOf } from '../../resources/labels.ts'
import { contentsPage, type GuidePage, missingPage, readSource, titleOf } from './guide-files.ts'

const htmlSigns: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/gu, (sign) => htmlSigns[sign] ?? sign)

/** Converts plain text of the guide, which is in Latin, to the script of a page. */
function textIn(locale: WrittenLocale, text: string): string {
  const language = localeOf(locale)
  return isScriptLocale(language) ? inScript(text, language, scriptOf(locale)) : text
}

/** Converts rendered text of the guide to the script of a page. */
function markupIn(locale: WrittenLocale, html: string): string {
  const language = localeOf(locale)
  return isScriptLocale(language) ? convertMarkup(html, language, scriptOf(locale)) : html
}

/** The title of a page in its script. */
const titleIn = (locale: WrittenLocale, page: GuidePage) => textIn(locale, titleOf(readSource(localeOf(locale), page)))

/** The name of a control in a text: `{{prices.publish}}`. */
const controlPattern = /^\{\{([\w.-]+)\}\}/u
/** The anchor at the end of a heading: `{#publish}`. It is the same in every language. */
const anchorPattern = /\s*\{#([\w-]+)\}$/u

function labelOf(locale: WrittenLocale, key: string): string {
  const label = (labelsOf(locale) as Readonly<Record<string, string>>)[key]
  if (label === undefined) throw new Error(`The guide names "${key}", which is no message.`)
  return label
}

/** Changes the address of a file beside a page into the address on the server. */
function addressOf(locale: WrittenLocale, href: string): string {
  const [, page, anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/u.exec(href) ?? []
  if (page === undefined) return href.startsWith('#') ? href : href.replace(/^\.\.\/pictures\//u, '/guide/pictures/')
  return page === contentsPage ? `/guide/${locale}` : `/guide/${locale}/${page}${anchor}`
}

function markedIn(locale: WrittenLocale): Marked {
  return new Marked({
    extensions: [
      {
        name: 'control',
        level: 'inline',
        start: (source) => source.indexOf('{{'),
        tokenizer(source) {
          const [raw, key] = controlPattern.exec(source) ?? []
          return raw === undefined || key === undefined ? undefined : { type: 'control', raw, key }
        },
        renderer: (token) => `<b>${escapeHtml(labelOf(locale, String(token['key'])))}</b>`,
      },
    ],
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const [, anchor] = anchorPattern.exec(text) ?? []
        const html = this.parser.parseInline(tokens).replace(anchorPattern, '')
        return `<h${depth}${anchor === undefined ? '' : ` id="${anchor}"`}>${html}</h${depth}>\n`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(addressOf(locale, href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href, text }: Tokens.Image) =>
        `<img src="${escapeHtml(addressOf(locale, href))}" alt="${escapeHtml(textIn(locale, text))}" width="1100" height="720">`,
    },
  })
}

const languageLinks = (locale: WrittenLocale, page: GuidePage) =>
  writtenLocales
    .map((each) => {
      const address = page === contentsPage || page === missingPage ? `/guide/${each}` : `/guide/${each}/${page}`
      const current = each === locale ? ' aria-current="true"' : ''
      return `<a href="${address}" lang="${each}" hreflang="${each}"${current}>${writtenLocaleNames[each]}</a>`
    })
    .join('\n')

const chapterLinks = (locale: WrittenLocale, page: GuidePage) =>
  guideChapters
    .map((chapter) => {
      const current = chapter === page ? ' aria-current="page"' : ''
      const title = escapeHtml(titleIn(locale, chapter))
      return `<li><a href="/guide/${locale}/${chapter}"${current}>${title}</a></li>`
    })
    .join('\n')

/**
 * Renders a page of the guide.
 *
 * @param locale - The language and script.
 * @param page - The chapter, the contents or the page for unknown addresses.
 * @returns An HTML document without scripts.
 * @throws When the text names a control that does not exist.
 */
export function renderGuide(locale: WrittenLocale, page: GuidePage): string {
  const source = readSource(localeOf(locale), page)
  const bookTitle = escapeHtml(titleIn(locale, contentsPage))
  const title = page === contentsPage ? bookTitle : `${escapeHtml(titleIn(locale, page))} · ${bookTitle}`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/guide/guide.css">
</head>
<body>
<header>
<a class="book" href="/guide/${locale}">${bookTitle}</a>
<nav class="languages" aria-label="${writtenLocaleNames[locale]}">
${languageLinks(locale, page)}
</nav>
</header>
<div class="columns">
<nav class="chapters" aria-label="${bookTitle}">
<ol>
${chapterLinks(locale, page)}
</ol>
</nav>
<main>
${markupIn(locale, markedIn(locale).parse(source, { async: false }))}</main>
</div>
</body>
</html>
`
}
