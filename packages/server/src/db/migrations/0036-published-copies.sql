-- 0036-published-copies: the records of courses as they were last published, which learners read.

create table "published_courses" (
  "id" integer not null,
  "source_locale" varchar(3) not null,
  "source_changes" integer not null default 0,
  "in_order" boolean not null default false,
  "state" varchar(255) not null default 'draft',
  "published_at" timestamptz(3),
  "order" integer not null default 0,
  "search" text generated always as (coalesce(search_key("state"), '')) stored,
  "image_id" integer,
  "coursecategory_id" integer,
  "coursetype_id" integer,
  "author_id" integer,
  primary key ("id")
);
create table "published_courses_tags" (
  "holder_id" integer not null,
  "target_id" integer not null,
  "position" integer not null default 0,
  "inverse_position" integer not null default 0,
  primary key ("holder_id", "target_id")
);
create table "published_courses_texts" (
  "id" integer not null,
  "document_id" integer not null,
  "locale" varchar(3) not null,
  "seen_changes" integer not null default 0,
  "version" integer not null default 1,
  "created_at" timestamptz(3) not null default now(),
  "updated_at" timestamptz(3) not null default now(),
  "title" varchar(255) not null,
  "description" varchar(200000),
  "videourl" varchar(2048),
  "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("videourl"), '')) stored,
  "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored,
  primary key ("id")
);
create table "published_lessongroups" (
  "id" integer not null,
  "source_locale" varchar(3) not null,
  "source_changes" integer not null default 0,
  "position" integer not null default 0,
  "state" varchar(255) not null default 'visible',
  "search" text generated always as (coalesce(search_key("state"), '')) stored,
  "course_id" integer not null,
  primary key ("id")
);
create table "published_lessongroups_texts" (
  "id" integer not null,
  "document_id" integer not null,
  "locale" varchar(3) not null,
  "seen_changes" integer not null default 0,
  "version" integer not null default 1,
  "created_at" timestamptz(3) not null default now(),
  "updated_at" timestamptz(3) not null default now(),
  "title" varchar(255) not null,
  "description" varchar(10000),
  "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored,
  "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored,
  primary key ("id")
);
create table "published_lessons" (
  "id" integer not null,
  "source_locale" varchar(3) not null,
  "source_changes" integer not null default 0,
  "kind" varchar(255) not null default 'single',
  "position" integer not null default 0,
  "duration_minutes" integer,
  "video" jsonb,
  "complete_when" varchar(255) not null default 'watched',
  "watch_ratio" numeric(3,2) not null default 0.9,
  "state" varchar(255) not null default 'visible',
  "search" text generated always as (coalesce(search_key("kind"), '') || E'\x1f' || coalesce(search_key("complete_when"), '') || E'\x1f' || coalesce(search_key("state"), '')) stored,
  "course_id" integer not null,
  "lessongroup_id" integer,
  primary key ("id")
);
create table "published_lessons_attachments" (
  "holder_id" integer not null,
  "target_id" integer not null,
  "position" integer not null default 0,
  "inverse_position" integer not null default 0,
  primary key ("holder_id", "target_id")
);
create table "published_lessons_texts" (
  "id" integer not null,
  "document_id" integer not null,
  "locale" varchar(3) not null,
  "seen_changes" integer not null default 0,
  "version" integer not null default 1,
  "created_at" timestamptz(3) not null default now(),
  "updated_at" timestamptz(3) not null default now(),
  "title" varchar(255) not null,
  "description" varchar(10000),
  "content" varchar(200000),
  "videourl" varchar(2048),
  "link" varchar(2048),
  "parts" jsonb,
  "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '') || E'\x1f' || coalesce(search_key("videourl"), '') || E'\x1f' || coalesce(search_key("link"), '')) stored,
  "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored,
  primary key ("id")
);
alter table "published_courses" add constraint "published_courses_id_fkey" foreign key ("id") references "courses" on delete cascade;
alter table "published_courses" add constraint "published_courses_source_locale_check" check ("source_locale" in ('en', 'ru', 'uz', 'kaa'));
alter table "published_courses" add constraint "published_courses_state_check" check ("state" in ('draft', 'published', 'archived'));
alter table "published_courses" add constraint "published_courses_image_id_fkey" foreign key ("image_id") references "uploads" on delete set null;
alter table "published_courses" add constraint "published_courses_coursecategory_id_fkey" foreign key ("coursecategory_id") references "coursecategories" on delete set null;
alter table "published_courses" add constraint "published_courses_coursetype_id_fkey" foreign key ("coursetype_id") references "coursetypes" on delete set null;
alter table "published_courses" add constraint "published_courses_author_id_fkey" foreign key ("author_id") references "users" on delete set null;
create index "published_courses_image_id_idx" on "published_courses" ("image_id");
create index "published_courses_coursecategory_id_idx" on "published_courses" ("coursecategory_id");
create index "published_courses_coursetype_id_idx" on "published_courses" ("coursetype_id");
create index "published_courses_author_id_idx" on "published_courses" ("author_id");
alter table "published_courses_tags" add constraint "published_courses_tags_holder_id_fkey" foreign key ("holder_id") references "published_courses" on delete cascade;
alter table "published_courses_tags" add constraint "published_courses_tags_target_id_fkey" foreign key ("target_id") references "tags" on delete cascade;
create index "published_courses_tags_target_id_idx" on "published_courses_tags" ("target_id");
alter table "published_courses_texts" add constraint "published_courses_texts_document_id_fkey" foreign key ("document_id") references "published_courses" on delete cascade;
alter table "published_courses_texts" add constraint "published_courses_texts_locale_check" check ("locale" in ('en', 'ru', 'uz', 'kaa'));
create unique index "published_courses_texts_document_id_locale_key" on "published_courses_texts" ("document_id", "locale");
alter table "published_lessongroups" add constraint "published_lessongroups_source_locale_check" check ("source_locale" in ('en', 'ru', 'uz', 'kaa'));
alter table "published_lessongroups" add constraint "published_lessongroups_state_check" check ("state" in ('visible', 'hidden'));
alter table "published_lessongroups" add constraint "published_lessongroups_course_id_fkey" foreign key ("course_id") references "published_courses" on delete cascade;
create index "published_lessongroups_course_id_idx" on "published_lessongroups" ("course_id");
alter table "published_lessongroups_texts" add constraint "published_lessongroups_texts_document_id_fkey" foreign key ("document_id") references "published_lessongroups" on delete cascade;
alter table "published_lessongroups_texts" add constraint "published_lessongroups_texts_locale_check" check ("locale" in ('en', 'ru', 'uz', 'kaa'));
create unique index "published_lessongroups_texts_document_id_locale_key" on "published_lessongroups_texts" ("document_id", "locale");
alter table "published_lessons" add constraint "published_lessons_source_locale_check" check ("source_locale" in ('en', 'ru', 'uz', 'kaa'));
alter table "published_lessons" add constraint "published_lessons_kind_check" check ("kind" in ('single', 'multi'));
alter table "published_lessons" add constraint "published_lessons_duration_minutes_check" check ("duration_minutes" >= 0);
alter table "published_lessons" add constraint "published_lessons_complete_when_check" check ("complete_when" in ('opened', 'watched', 'marked'));
alter table "published_lessons" add constraint "published_lessons_watch_ratio_check" check ("watch_ratio" >= 0 and "watch_ratio" <= 1);
alter table "published_lessons" add constraint "published_lessons_state_check" check ("state" in ('visible', 'hidden'));
alter table "published_lessons" add constraint "published_lessons_course_id_fkey" foreign key ("course_id") references "published_courses" on delete cascade;
create index "published_lessons_course_id_idx" on "published_lessons" ("course_id");
create index "published_lessons_lessongroup_id_idx" on "published_lessons" ("lessongroup_id");
alter table "published_lessons_attachments" add constraint "published_lessons_attachments_holder_id_fkey" foreign key ("holder_id") references "published_lessons" on delete cascade;
alter table "published_lessons_attachments" add constraint "published_lessons_attachments_target_id_fkey" foreign key ("target_id") references "attachments" on delete cascade;
create index "published_lessons_attachments_target_id_idx" on "published_lessons_attachments" ("target_id");
alter table "published_lessons_texts" add constraint "published_lessons_texts_document_id_fkey" foreign key ("document_id") references "published_lessons" on delete cascade;
alter table "published_lessons_texts" add constraint "published_lessons_texts_locale_check" check ("locale" in ('en', 'ru', 'uz', 'kaa'));
create unique index "published_lessons_texts_document_id_locale_key" on "published_lessons_texts" ("document_id", "locale");

-- Files that published texts name. The language is that of the text; null for a value of all languages.
create table published_upload_mentions (
  course_id integer not null references published_courses (id) on delete cascade,
  file_id integer not null,
  resource varchar(63) not null,
  document_id integer not null,
  entry_id integer not null,
  field varchar(63) not null,
  locale varchar(3),
  primary key (file_id, resource, entry_id, field)
);
create index published_upload_mentions_course_id_idx on published_upload_mentions (course_id);

-- Courses that are published today stay as they are.
insert into published_courses ("id", "source_locale", "source_changes", "in_order", "state", "published_at", "order", "image_id", "coursecategory_id", "coursetype_id", "author_id")
  select "id", "source_locale", "source_changes", "in_order", "state", "published_at", "order", "image_id", "coursecategory_id", "coursetype_id", "author_id" from courses where state = 'published';
insert into published_courses_texts ("id", "document_id", "locale", "seen_changes", "version", "created_at", "updated_at", "title", "description", "videourl")
  select "id", "document_id", "locale", "seen_changes", "version", "created_at", "updated_at", "title", "description", "videourl" from courses_texts where document_id in (select id from published_courses);
insert into published_courses_tags ("holder_id", "target_id", "position", "inverse_position")
  select "holder_id", "target_id", "position", "inverse_position" from courses_tags where holder_id in (select id from published_courses);
insert into published_lessongroups ("id", "source_locale", "source_changes", "position", "state", "course_id")
  select "id", "source_locale", "source_changes", "position", "state", "course_id" from lessongroups where course_id in (select id from published_courses);
insert into published_lessongroups_texts ("id", "document_id", "locale", "seen_changes", "version", "created_at", "updated_at", "title", "description")
  select "id", "document_id", "locale", "seen_changes", "version", "created_at", "updated_at", "title", "description" from lessongroups_texts where document_id in (select id from published_lessongroups);
insert into published_lessons ("id", "source_locale", "source_changes", "kind", "position", "duration_minutes", "video", "complete_when", "watch_ratio", "state", "course_id", "lessongroup_id")
  select "id", "source_locale", "source_changes", "kind", "position", "duration_minutes", "video", "complete_when", "watch_ratio", "state", "course_id", "lessongroup_id" from lessons where course_id in (select id from published_courses);
insert into published_lessons_texts ("id", "document_id", "locale", "seen_changes", "version", "created_at", "updated_at", "title", "description", "content", "videourl", "link", "parts")
  select "id", "document_id", "locale", "seen_changes", "version", "created_at", "updated_at", "title", "description", "content", "videourl", "link", "parts" from lessons_texts where document_id in (select id from published_lessons);
insert into published_lessons_attachments ("holder_id", "target_id", "position", "inverse_position")
  select "holder_id", "target_id", "position", "inverse_position" from lessons_attachments where holder_id in (select id from published_lessons);
insert into published_upload_mentions (course_id, file_id, resource, document_id, entry_id, field, locale)
  select d.id, m.file_id, m.resource, m.document_id, m.entry_id, m.field, t.locale
    from upload_mentions m join published_courses d on d.id = m.document_id left join courses_texts t on t.id = m.entry_id and m.field in ('title', 'description', 'videourl')
   where m.resource = 'courses'
  union all
  select d.course_id, m.file_id, m.resource, m.document_id, m.entry_id, m.field, t.locale
    from upload_mentions m join published_lessongroups d on d.id = m.document_id left join lessongroups_texts t on t.id = m.entry_id and m.field in ('title', 'description')
   where m.resource = 'lessongroups'
  union all
  select d.course_id, m.file_id, m.resource, m.document_id, m.entry_id, m.field, t.locale
    from upload_mentions m join published_lessons d on d.id = m.document_id left join lessons_texts t on t.id = m.entry_id and m.field in ('title', 'description', 'content', 'videourl', 'link', 'parts')
   where m.resource = 'lessons';

-- Versions of the copies say whether a draft differs from them; the number of parts is no longer needed.
alter table courses drop column published_parts;
