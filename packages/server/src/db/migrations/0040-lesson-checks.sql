-- 0041-lesson-checks: the lesson that an upload is for, and the last answers of sites about linked videos.

-- There is no key to lessons: an upload for a deleted lesson ends like any other.
alter table resumable_uploads add column lesson_id integer;
alter table resumable_uploads add column locale varchar(3) check (locale in ('en', 'ru', 'uz', 'kaa'));
create index resumable_uploads_lesson_idx on resumable_uploads (lesson_id) where lesson_id is not null;

create table video_links (
  address varchar(500) primary key,
  asked_at timestamptz(3) not null default now(),
  -- The last answer, which stays while the site does not answer.
  state varchar(16) check (state in ('reachable', 'unreachable')),
  checked_at timestamptz(3)
);
