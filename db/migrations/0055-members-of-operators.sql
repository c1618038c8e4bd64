-- What operators find a member by, in lower case: the names, the email address, the phone number, the member number and
-- the ids. Under row-level security an index on lower(email) finds nothing, because lower() is not leakproof; a term is
-- compared as it is stored. Maintained by a trigger; a deleted account has none.
create table member_terms (
  partner_id text not null,
  term text collate "C" not null,
  member_id bigint not null,
  primary key (partner_id, term, member_id),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index member_terms_by_member on member_terms (member_id);
call enable_tenant_isolation('member_terms');
grant select, insert, delete on member_terms to dineback_app;

create function member_terms_of(m members) returns setof text language sql stable as $$
  select distinct left(lower(trim(term)), 300) from unnest(array[
    m.email, m.first_name, m.last_name, m.first_name || ' ' || m.last_name, m.phone_number, m.partner_number,
    m.public_id, m.referral_code]) term
  where m.deleted_at is null and trim(term) <> ''
$$;

create function sync_member_terms() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from member_terms where member_id = new.id;
  end if;
  insert into member_terms (partner_id, term, member_id)
    select new.partner_id, term, new.id from member_terms_of(new) term on conflict do nothing;
  return null;
end
$$;
create trigger sync_member_terms_inserted after insert on members
  for each row execute function sync_member_terms();
create trigger sync_member_terms_updated after update on members
  for each row when ((old.email, old.first_name, old.last_name, old.phone_number, old.partner_number, old.public_id,
      old.referral_code, old.deleted_at) is distinct from (new.email, new.first_name, new.last_name, new.phone_number,
      new.partner_number, new.public_id, new.referral_code, new.deleted_at))
  execute function sync_member_terms();

-- The owner reads all rows, and writes those of one partner at a time.
do $$
declare
  partner text;
begin
  for partner in select id from partners loop
    perform set_config('dineback.partner', partner, true);
    insert into member_terms (partner_id, term, member_id)
      select m.partner_id, term, m.id from members m, member_terms_of(m) term where m.partner_id = partner
      on conflict do nothing;
  end loop;
  perform set_config('dineback.partner', '', true);
end
$$;

-- The pages of members that operators list: by the day of joining, in all and by tier and state.
create index members_by_joining on members (partner_id, joined_at, id);
create index members_by_tier on members (partner_id, tier_level, joined_at, id);
create index members_by_type on members (partner_id, member_type, joined_at, id);
create index cards_by_last_four on cards (partner_id, last_four);
create index cards_of_member on cards (member_id, linked_at);
create index emails_by_member on emails (member_id, id);

-- Notes of operators about a member.
create table member_notes (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  member_id bigint not null,
  operator_id bigint not null,
  operator_name text not null,
  body text not null check (length(body) between 1 and 2000),
  written_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index member_notes_by_member on member_notes (member_id, id);
call enable_tenant_isolation('member_notes');
grant select, insert, delete on member_notes to dineback_app;

-- Tags by which operators group members.
create table member_tags (
  partner_id text not null references partners,
  tag text collate "C" not null check (tag ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(tag) <= 40),
  member_id bigint not null,
  tagged_by text not null,
  tagged_at timestamptz not null default now(),
  primary key (partner_id, tag, member_id),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index member_tags_by_member on member_tags (member_id);
call enable_tenant_isolation('member_tags');
grant select, insert, delete on member_tags to dineback_app;

-- An operator has a failed email sent again.
create trigger enqueue_email_again after update of status on emails
  for each row when (old.status = 'failed' and new.status = 'waiting') execute function enqueue_row_job('emails');
