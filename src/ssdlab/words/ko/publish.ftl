# 실행의 공개.

publish-write-it = `{ $output }`에 쓸까요? [y/N]
publish-no-directory = `{ $output }`에 쓸 수 없음: 디렉터리 `{ $parent }`이 없음
publish-impossible = 이 실행을 공개할 수 없음: { $error }
publish-name-with-output = 사본을 둘 공간이 있는 디스크에서 `-o`로 다른 파일을 지정할 것
publish-nothing-written = 아무것도 쓰지 않음
publish-yes-writes = 묻지 않고 쓰려면 `--yes`
publish-copy-already = `{ $source }`: 이미 공개용 사본임
publish-pass-on = 그대로 전달할 것: 디렉터리를 zip으로 압축할 것
publish-remains-remedy = 비밀이 아니면 드라이브나 호스트의 이름이 측정 방법의 단어와 같은 것이고, 아니면 ssdlab의 결함임
publish-key-length = `{ $path }`: { $found }바이트인데, 가명용 키는 { $expected }바이트임
publish-key-restore = 백업에서 복원할 것; 지우면 새로 만들어지고, 그때부터 드라이브의 이름이 달라짐
publish-no-key = 가명용 키 `{ $path }`을 얻을 수 없음: { $reason }
publish-remains = `{ $value }`({ $kind })이 `{ $file }`에 남게 되므로 아무것도 쓰지 않음
publish-kind-serial = 시리얼 번호
publish-kind-identifier = 전 세계 고유 식별자
publish-kind-host = 호스트와 사용자 이름
publish-kind-path = 경로와 대상
publish-kind-address = 네트워크 주소
publish-kind-file = 파일 이름과 체크섬
publish-kind-kernel = 커널 로그의 줄
publish-kind-option = fio와 다른 프로그램의 옵션
publish-column-what = 항목
publish-column-count = 개수
publish-column-example = 예
publish-column-stand-in = 바뀐 이름
publish-fate = { $fate ->
        [hashed] 가명
        [left_out] 제외
       *[kept] 유지
    }
publish-files = 파일: { $why }
publish-left-out = { $reason ->
        [original] 다른 프로그램의 파일과 거기에 쓰인 것
        [attempt] 다시 한 단계가 남긴 것; 수치에 쓰이지 않음
        [raw] 텍스트로 된 fio의 로그; 수치는 Parquet에 있음
        [replay] 드라이브의 이름이 있는 명령; 결과는 Parquet에 있음
        [answer] 수치에 필요 없는 드라이브의 응답
        [unread] 읽을 수 없어 비공개 정보가 있는지 알 수 없음
       *[unknown] ssdlab이 내용을 알지 못함
    }
publish-kept-files = 파일
publish-kept-models = 모델명
publish-kept-hosts = 프로세서와 시스템
publish-kept-suite = 스위트의 줄
publish-kept-settings = 프로그램의 설정
