-- Every wording that somebody saved, forever: a version is never changed. A version of an entry that is newer than
-- what was last released is its draft. `fields` is null in a version that takes the entry away.
create table content_versions (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  collection text not null check (length(collection) between 1 and 60),
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9_-]{0,79}$'),
  version int not null check (version > 0),
  -- Where the entry stands among those of its collection.
  position int not null default 0,
  fields jsonb,
  saved_by text not null check (length(saved_by) between 1 and 120),
  saved_at timestamptz not null default now(),
  unique (partner_id, collection, slug, version)
);
call build_wall('content_versions');

-- What the public sees, and when: of the releases whose time has come and is not over, the one that began last. When
-- its time is over, the one before it shows again.
create table content_releases (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  version_id bigint not null references content_versions,
  live_from timestamptz not null default now(),
  live_until timestamptz check (live_until > live_from),
  released_by text not null check (length(released_by) between 1 and 120),
  released_at timestamptz not null default now(),
  withdrawn_by text,
  withdrawn_at timestamptz,
  check ((withdrawn_by is null) = (withdrawn_at is null))
);
create index content_releases_by_version on content_releases (version_id);
call build_wall('content_releases');

-- Tells every process, when the transaction commits, that a partner's content is not what it was.
create function announce_content() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('content_changed', new.partner_id);
  return null;
end
$$;
create trigger announce after insert on content_versions for each row execute function announce_content();
create trigger announce after insert or update on content_releases for each row execute function announce_content();

-- Versions are history: nobody changes or deletes one. A release is only ever withdrawn.
grant select, insert on content_versions to dineback_app;
grant select, insert on content_releases to dineback_app;
grant update (withdrawn_by, withdrawn_at) on content_releases to dineback_app;

-- The same for run-time switches.
create function announce_flags() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('flags_changed', coalesce(new.partner_id, old.partner_id));
  return null;
end
$$;
create trigger announce after insert or update or delete on feature_flags for each row execute function announce_flags();
