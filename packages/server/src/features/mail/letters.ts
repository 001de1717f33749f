/** Writes the texts of letters: subject, plain text and HTML in the recipient's language. */
import type { MessageId, WrittenLocale } from '@dala/model'
import { labelsOf } from '../../resources/labels.ts'
import type { Letters } from '../../domain/delivery/mails.ts'
import type { Attachment, ReportLetter } from '../../domain/delivery/report-letters.ts'

export interface Letter {
  subject: string
  text: string
  html: string
  /** Name of the sender, for addresses of senders without a name. */
  senderName?: string
  attachments?: Attachment[]
}

/** The organisation's own texts of letters in one language and script; null for a text that it does not have. */
export interface LetterTexts {
  /** Its name, which is shown in place of that of the product. */
  name: string | null
  /** Paragraphs above the text of an invitation. */
  invitation: string | null
  /** Last paragraph of every letter, above the signature. */
  closing: string | null
  /** Lines of the signature with address and telephone. */
  contact: string | null
}

const noTexts: LetterTexts = { name: null, invitation: null, closing: null, contact: null }

/** The settings of letters that the organisation has. */
export interface LetterSettings {
  /** Returns the organisation's own texts in a language and script. */
  letterTexts?: (locale: WrittenLocale) => LetterTexts
}

/** A line of a letter about an event, with the page that it is about. */
interface LetterLine {
  text: string
  link: string | null
}

/** Parts of a letter: paragraphs and lines of events before, and paragraphs after a link on its own line. */
interface Draft {
  subject: MessageId
  before: readonly MessageId[]
  lines?: readonly LetterLine[]
  action?: { words: MessageId; link: string }
  after: readonly MessageId[]
  params: Readonly<Record<string, string>>
  /** Name of the recipient; null in letters to addresses that were never confirmed. */
  name: string | null
  /** Last line of the letter; that for accounts when absent. */
  footer?: MessageId
  attachments?: Attachment[]
}

/** Data of a letter: its stored payload, and values that are only known when it is sent. */
export type LetterParts =
  | { template: 'reset'; payload: Pick<Letters['reset'], 'name'>; link: string; minutes: number }
  | { template: 'invite'; payload: Pick<Letters['invite'], 'name'>; link: string; hours: number }
  | {
      template: 'passwordChanged' | 'emailChanged' | 'twoStepReset'
      payload: { name: string | null; time: string }
    }
  | { template: 'test'; payload: Letters['test'] }
  | { template: 'welcome'; link: string; hours: number }
  | { template: 'confirmEmail'; link: string; minutes: number }
  | { template: 'postDecision'; payload: Letters['postDecision']; link: string }
  | { template: 'report'; letter: ReportLetter }
  | { template: 'notice' | 'digest'; payload: { name: string }; lines: readonly LetterLine[]; link: string }

function letterDraft(parts: LetterParts): Draft {
  switch (parts.template) {
    case 'reset':
      return {
        subject: 'mail.reset.subject',
        before: ['mail.reset.text'],
        action: { words: 'mail.reset.action', link: parts.link },
        after: ['mail.reset.other'],
        params: { minutes: String(parts.minutes) },
        name: parts.payload.name,
      }
    case 'invite':
      return {
        subject: 'mail.invite.subject',
        before: ['mail.invite.text'],
        action: { words: 'mail.invite.action', link: parts.link },
        after: ['mail.invite.other'],
        params: { hours: String(parts.hours) },
        name: parts.payload.name,
      }
    case 'welcome':
      return {
        subject: 'mail.welcome.subject',
        before: ['mail.welcome.text'],
        action: { words: 'mail.confirm.action', link: parts.link },
        after: ['mail.confirm.other'],
        params: { hours: String(parts.hours) },
        name: null,
      }
    case 'confirmEmail':
      return {
        subject: 'mail.confirmEmail.subject',
        before: ['mail.confirmEmail.text'],
        action: { words: 'mail.confirm.action', link: parts.link },
        after: ['mail.confirm.other'],
        params: { minutes: String(parts.minutes) },
        name: null,
      }
    case 'postDecision': {
      const { outcome, title, reason, name } = parts.payload
      return {
        subject: 'mail.postDecision.subject',
        before: [`inbox.post.${outcome}`],
        action: { words: 'mail.postDecision.action', link: parts.link },
        after: [],
        params: { title, reason },
        name,
      }
    }
    case 'report': {
      const { name, title, by, link, file } = parts.letter
      return {
        subject: 'mail.report.subject',
        before: [file ? 'mail.report.attached' : 'mail.report.large'],
        ...(link !== null && { action: { words: 'mail.report.action', link } }),
        after: [by === null ? 'mail.report.totals' : 'mail.report.by'],
        params: { title, by: by ?? '' },
        name,
        ...(link === null && { footer: 'mail.report.footer' as const }),
        ...(file && { attachments: [file] }),
      }
    }
    case 'notice':
    case 'digest': {
      const { template, lines, link, payload } = parts
      return {
        subject: `mail.${template}.subject`,
        before: template === 'digest' ? ['mail.digest.text'] : [],
        lines,
        action: { words: 'mail.notice.settings', link },
        after: [],
        params: { text: lines[0]?.text ?? '', count: String(lines.length) },
        name: payload.name,
      }
    }
    case 'test':
      return {
        subject: 'mail.test.subject',
        before: ['mail.test.text'],
        after: [],
        params: {},
        name: parts.payload.name,
      }
    case 'passwordChanged':
    case 'emailChanged':
    case 'twoStepReset':
      return {
        subject: `mail.${parts.template}.subject`,
        before: [`mail.${parts.template}.text`],
        after: ['mail.changed.other'],
        params: { time: parts.payload.time },
        name: parts.payload.name,
      }
  }
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] ?? sign)

/** Escapes a text of several lines. */
const escapeLines = (text: string) => text.split('\n').map(escape).join('<br>')

/** Collapses line breaks: names are user input and must not end a line of the letter. */
const collapseLineBreaks = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Renders a letter.
 *
 * @param locale - Its language and script.
 * @param parts - Its data.
 * @param texts - The organisation's own texts.
 * @returns Subject, plain text and HTML; user input is escaped in the HTML.
 */
export function writeLetter(locale: WrittenLocale, parts: LetterParts, texts: LetterTexts = noTexts): Letter {
  const { name: organisation, contact, closing } = texts
  const { subject, before, lines = [], action, after, params: draftParams, name, ...otherFields } = letterDraft(parts)
  const { footer: footerId = 'mail.footer', attachments } = otherFields
  const params: Draft['params'] = { ...draftParams, ...(name !== null && { name }) }
  const textOf = (id: MessageId) =>
    labelsOf(locale)[id].replace(/\{(\w+)\}/g, (placeholder, key: string) =>
      collapseLineBreaks(params[key] ?? placeholder),
    )
  const greeting = textOf(name === null ? 'mail.hello.unnamed' : 'mail.hello')
  const [footer, product] = [textOf(footerId), organisation ?? textOf('app.title')]
  const invitation = parts.template === 'invite' ? texts.invitation : null
  const textsAbove = [...(invitation === null ? [] : [invitation]), ...before.map(textOf)]
  const textsBelow = [...after.map(textOf), ...(closing === null ? [] : [closing])]
  const signature = [product, ...(contact === null ? [] : [contact]), footer].join('\n')
  const link = action && `${textOf(action.words)}:\n${action.link}`
  const paragraph = (text: string) => `<p>${escapeLines(text)}</p>`
  const events = lines.map(({ text, link: page }) => (page === null ? text : `${text}\n${page}`))
  const eventParagraph = ({ text, link: page }: LetterLine) =>
    page === null ? paragraph(text) : `<p><a href="${escape(page)}">${escape(text)}</a></p>`
  const button = action && `<p><a href="${escape(action.link)}">${escape(textOf(action.words))}</a></p>`
  return {
    subject: `${organisation ?? textOf('app.shortTitle')}: ${textOf(subject)}`,
    text:
      [greeting, ...textsAbove, ...events, ...(link ? [link] : []), ...textsBelow, `--\n${signature}`].join('\n\n') +
      '\n',
    html: [
      `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escape(textOf(subject))}</title></head>`,
      '<body style="font-family:sans-serif;line-height:1.5;max-width:36rem">',
      ...[greeting, ...textsAbove].map(paragraph),
      ...lines.map(eventParagraph),
      ...(button ? [button] : []),
      ...textsBelow.map(paragraph),
      `<hr><p><small>${escapeLines(signature)}</small></p></body></html>`,
    ].join('\n'),
    ...(organisation !== null && { senderName: organisation }),
    ...(attachments && { attachments }),
  }
}
