-- Members are found by what operators type: the last name before the first one, each word of a name, names without their
-- accents, and numbers without what separates their digits. All terms are in lower case, without accents, with one kind of
-- apostrophe and single spaces.
create function plain_text(text text) returns text language sql immutable as $$
  select lower(normalize(regexp_replace(regexp_replace(normalize(translate(trim(text), '‘’ʼ´`', ''''''''''''), NFD),
    '[\u0300-\u036f]', '', 'g'), '\s+', ' ', 'g'), NFC))
$$;
create function search_term(text text) returns text language sql immutable as $$ select left(plain_text(text), 300) $$;

-- A name as people type it without its signs: obrien for O'Brien, garcia smith for Garcia-Smith.
create function search_name(name text) returns text language sql immutable as $$
  select trim(regexp_replace(translate(search_term(name), '''', ''), '[[:space:]‐‑–-]+', ' ', 'g'))
$$;

create or replace function member_terms_of(m members) returns setof text language sql stable as $$
  select distinct search_term(term) from (
    select unnest(array[m.email, m.first_name, m.last_name, m.first_name || ' ' || m.last_name,
      m.last_name || ' ' || m.first_name, m.phone_number, m.partner_number, m.public_id, m.referral_code])
    -- "van der Berg" is found by Berg.
    union all select regexp_split_to_table(m.first_name || ' ' || m.last_name, '\s+')
    union all select unnest(array[search_name(m.first_name || ' ' || m.last_name),
      search_name(m.last_name || ' ' || m.first_name)])
    -- Garcia-Smith is found by Smith.
    union all select regexp_split_to_table(search_name(m.first_name || ' ' || m.last_name), ' ')
    -- SKY-555-1234 is found by sky5551234 and by 5551234.
    union all select regexp_replace(m.partner_number, '[^[:alnum:]]', '', 'g')
    union all select regexp_replace(m.partner_number, '[^0-9]', '', 'g')
  ) terms (term)
  where m.deleted_at is null and trim(term) <> ''
$$;

-- The owner reads all rows, and writes those of one partner at a time.
do $$
declare
  partner text;
begin
  for partner in select id from partners loop
    perform set_config('dineback.partner', partner, true);
    delete from member_terms where partner_id = partner and term <> search_term(term);
    insert into member_terms (partner_id, term, member_id)
      select m.partner_id, term, m.id from members m, member_terms_of(m) term where m.partner_id = partner
      on conflict do nothing;
  end loop;
  perform set_config('dineback.partner', '', true);
end
$$;
