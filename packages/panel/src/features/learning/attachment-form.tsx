/** The form of an attachment, whose file may be a document. */
import { Suspense } from 'react'
import type { FormSlots } from '../../resource/screen-parts.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'

const DocumentInput = lazyPart(async () => (await import('./document-input.tsx')).DocumentInput)

export const attachmentForm: FormSlots = {
  inputs: {
    file: (props) => (
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <DocumentInput {...props} />
      </Suspense>
    ),
  },
}
