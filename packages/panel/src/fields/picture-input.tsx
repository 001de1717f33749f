/** The pictures of a record: what is there can be seen and taken off; new ones cannot be uploaded yet, and it says so. */
import type { Entry } from '@dala/model'
import Image from 'lucide-react/icons/image'
import { fileAddress } from '../api/client.ts'
import { useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'

export interface PictureInputProps {
  value: unknown
  onChange: (value: unknown) => void
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function PictureInput({ value, onChange }: PictureInputProps) {
  const t = useT()
  const several = Array.isArray(value)
  const pictures = (several ? value : [value]).filter(isEntry)
  if (pictures.length === 0) {
    return (
      <div className="grid justify-items-center gap-1 rounded-2 border border-dashed border-line-strong bg-sunken px-4 py-7 text-center text-muted">
        <Image size={26} aria-hidden strokeWidth={1.6} />
        <p className="font-semibold text-ink">{t('empty.noImage')}</p>
        <p className="text-sm">{t('picture.notYet')}</p>
      </div>
    )
  }
  return (
    <ul className="grid gap-3">
      {pictures.map((picture) => (
        <li key={picture.id} className="grid gap-2">
          <img
            src={fileAddress(textOf(picture.url))}
            alt={textOf(picture.alternativeText)}
            className="w-full rounded-2 object-cover"
          />
          <Button
            kind="plain"
            onClick={() => onChange(several ? pictures.filter(({ id }) => id !== picture.id) : null)}
          >
            {t('upload.removeImage')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
